"""What the scenarios of the relay share."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult
from relay_kit import ErrorOf, StartClient

from webmcp_e2e.contract import ERROR_META
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.mcp_client import McpClient
from webmcp_e2e.services.relay_process import Relay, default_command
from webmcp_e2e.services.scripted_relay import ScriptedRelay

PAGES = Path(__file__).parent / "pages"
NPM_RELAY = Path(__file__).parents[3] / "extensions/node_modules/@mcp-b/webmcp-local-relay/dist/cli.js"


@pytest.fixture
def html_app() -> Iterator[HtmlApp]:
    """The page app with this folder's own pages on top."""
    with HtmlApp([PAGES]) as app:
        yield app


@pytest.fixture
def error_of() -> ErrorOf:
    """``(code, executed)`` of a result that is an error in the one MCP shape; fails for anything else."""

    def read(result: CallToolResult | dict[str, Any]) -> tuple[str, str]:
        plain = result
        if isinstance(plain, CallToolResult):
            plain = plain.model_dump(by_alias=True, exclude_none=True)
        assert plain.get("isError") is True, f"no error: {str(plain)[:300]}"
        meta = plain["_meta"][ERROR_META]
        assert plain["content"][0]["text"].startswith(f"{meta['code']}: ")
        return meta["code"], meta["executed"]

    return read


@pytest.fixture
def start_client(tmp_path: Path) -> Iterator[StartClient]:
    """Starts MCP clients with a relay process of their own: ``start_client("--ports", "A-B", name="x")``."""
    started: list[McpClient] = []

    def start(*flags: str, name: str, command: list[str] | None = None) -> McpClient:
        client = McpClient([*(command or default_command()), *flags], tmp_path, name=name)
        client.start()
        started.append(client)
        return client

    yield start
    for client in reversed(started):
        client.close()


@pytest.fixture
def npm_command(tmp_path: Path) -> list[str]:
    """The published relay; it remembers its port in a home of its own."""
    return shlex.split(f"env HOME={tmp_path} node {NPM_RELAY}")


@pytest.fixture
def second_relay(relay: Relay, relay_ports: range, tmp_path: Path) -> Iterator[Relay]:
    """Another relay process, with an MCP client of its own, on the same port as ``relay``."""
    second = Relay(relay_ports, tmp_path, name="second")
    second.start()
    yield second
    second.close()


@pytest.fixture
def scripted_relay(relay_ports: range) -> Iterator[ScriptedRelay]:
    """A relay that does what the test says; up before the host is loaded."""
    with ScriptedRelay(relay_ports[0]) as relay:
        yield relay


@pytest.fixture
def relay_settings(request: pytest.FixtureRequest, relay_ports: range) -> dict[str, Any]:
    """Switched on in tests that ask for a relay, real or scripted."""
    if "scripted_relay" in request.fixturenames:
        request.getfixturevalue("scripted_relay")
    enabled = bool({"relay", "scripted_relay"} & set(request.fixturenames))
    return {"enabled": enabled, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}
