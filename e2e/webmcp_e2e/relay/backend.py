"""What the MCP side needs of a relay, whether it holds the port itself or has joined another one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeAlias

from webmcp_e2e.relay.calls import Done
from webmcp_e2e.relay.jsonio import JsonObject
from webmcp_e2e.relay.registry import PublicTool
from webmcp_e2e.relay.results import error_result, text_result
from webmcp_e2e.relay.wire import SourceInfo

Handle: TypeAlias = Callable[[], None]
"""Cancels a call."""


class Backend(Protocol):
    """Tools, sources and calls."""

    def tools(self) -> list[PublicTool]:
        """All listed tools."""

    def sources(self) -> list[SourceInfo]:
        """All sources, those without tools too."""

    def invoke(self, name: str, args: JsonObject, done: Done) -> Handle | None:
        """Call a tool by its public name; `None` if the call has already ended."""

    def refresh(self, url: str, done: Done) -> Handle | None:
        """Reload the tab that shows `url`; the result says which tab, or that there is none."""


async def call(backend: Backend, name: str, args: JsonObject) -> JsonObject:
    """The result of a tool; cancelling the caller cancels the call."""
    return await _awaited(lambda done: backend.invoke(name, args, done))


async def refresh(backend: Backend, url: str) -> JsonObject:
    """`Backend.refresh`, awaited."""
    return await _awaited(lambda done: backend.refresh(url, done))


async def _awaited(start: Callable[[Done], Handle | None]) -> JsonObject:
    ended: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()

    def done(result: JsonObject) -> None:
        if not ended.done():
            ended.set_result(result)

    cancel = start(done)
    try:
        return await ended
    except asyncio.CancelledError:
        if cancel is not None:
            cancel()
        raise


def unknown_tool(name: str) -> JsonObject:
    """The result for a name that is not listed."""
    mend = "Look at webmcp_list_tools: the page may have changed or its tab may be closed."
    return error_result("unknown_tool", "no", f"no connected page offers a tool named {name!r}", mend)


def refreshed(source: SourceInfo | None, url: str) -> JsonObject:
    """The result of a refresh that reached `source`, or none."""
    if source is None:
        mend = "Look at webmcp_list_sources, or call webmcp_open_page without refresh."
        return error_result("source_disconnected", "no", f"no connected tab shows {url}", mend)
    return text_result(f"Tab {source.tabId} ({source.url}) was told to reload.")
