"""Calling a tool over and over by the official MCP client, timed where the client itself runs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import anyio
from mcp import Client

from webmcp_e2e.services.mcp_client import McpClient


class ToolFailed(RuntimeError):
    """A measured call failed: its time would be no measure of anything."""


async def _call(client: Client, tool: str, args: Mapping[str, Any]) -> None:
    result = await client.call_tool(tool, dict(args))
    if result.is_error:
        raise ToolFailed(f"{tool} failed while it was measured: {result.content}")


def one_by_one(client: McpClient, tool: str, args: Mapping[str, Any], count: int) -> list[float]:
    """Milliseconds of each of ``count`` calls, one after the other."""

    async def run() -> list[float]:
        times = []
        for _ in range(count):
            begin = time.perf_counter()
            await _call(client.client, tool, args)
            times.append((time.perf_counter() - begin) * 1000)
        return times

    return client.run(run)  # type: ignore[no-any-return]


def per_second(client: McpClient, tool: str, args: Mapping[str, Any], count: int, in_flight: int) -> float:
    """Calls per second with ``in_flight`` of them under way all the time."""

    async def run() -> float:
        left = iter(range(count))

        async def caller() -> None:
            for _ in left:
                await _call(client.client, tool, args)

        begin = time.perf_counter()
        async with anyio.create_task_group() as group:
            for _ in range(in_flight):
                group.start_soon(caller)
        return count / (time.perf_counter() - begin)

    return client.run(run)  # type: ignore[no-any-return]
