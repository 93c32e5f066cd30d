"""Types of this folder's fixtures, for annotations in its tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp_types import CallToolResult

from webmcp_e2e.services.mcp_client import McpClient

ErrorOf = Callable[[CallToolResult | dict[str, Any]], tuple[str, str]]
"""Reads ``(code, executed)`` of an error result."""

StartClient = Callable[..., McpClient]
"""Starts an MCP client with a relay process of its own."""
