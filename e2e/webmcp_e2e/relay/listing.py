"""The tool list as an MCP client sees it, and when to say that it changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from webmcp_e2e.relay.jsonio import JsonObject
from webmcp_e2e.relay.registry import PublicTool


class Debounce:
    """Gathers what happens within `delay` seconds of the first poke into one call of `action`."""

    def __init__(self, delay: float, action: Callable[[], None]) -> None:
        self._delay = delay
        self._action = action
        self._timer: asyncio.TimerHandle | None = None

    def poke(self) -> None:
        """Something happened."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._delay, self._fire)

    def _fire(self) -> None:
        self._timer = None
        self._action()


def client_definition(tool: PublicTool) -> JsonObject:
    """A page's tool for an MCP client: public name, and ``[<origin> · tab <id>] `` before the description.

    The prefix is what the browser says of the tab, never the page's title: a page must not speak for another.
    """
    definition = {**tool.definition, "name": tool.name}
    source = tool.source
    if source is not None:
        text = definition.get("description", "")
        definition["description"] = (
            f"[{source.origin or 'unknown origin'} · tab {source.tabId}] {text}".rstrip()
        )
    return definition


def signature(tools: list[PublicTool]) -> list[JsonObject]:
    """What counts as a change: everything but the prefix. Two equal signatures are one list."""
    return [{**tool.definition, "name": tool.name} for tool in tools]


class ListWatch:
    """Calls `announce` once for each change of the list, and never when it is the same again.

    Args:
        tools: the list of the moment.
        delay: seconds in which changes are gathered.
    """

    def __init__(
        self, tools: Callable[[], list[PublicTool]], delay: float, announce: Callable[[], None]
    ) -> None:
        self._tools = tools
        self._announce = announce
        self._known = signature(tools())
        self._debounce = Debounce(delay, self._compare)

    def poke(self) -> None:
        """Something about the sources changed."""
        self._debounce.poke()

    def _compare(self) -> None:
        now = signature(self._tools())
        if now != self._known:
            self._known = now
            self._announce()
