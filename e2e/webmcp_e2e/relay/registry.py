"""The sources (tabs) that are connected or expected back, their tools, and the public names.

No I/O and no timers here: the hub tells what happened, the registry knows what that makes of the list.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from webmcp_e2e.relay.jsonio import JsonObject
from webmcp_e2e.relay.naming import NameTable
from webmcp_e2e.relay.wire import Hello, SourceInfo


class Link(Protocol):
    """The open socket of a source, as far as the hub needs it."""

    def send(self, data: bytes) -> None:
        """Send one encoded frame."""

    def close(self, code: int, reason: str) -> None:
        """Close the socket."""


def _now_ms() -> float:
    return time.time() * 1000


@dataclass(eq=False, slots=True)
class Source:
    """One tab of one browser (or one extension's own tools)."""

    real_origin: str
    hello: Hello
    connected_at: float
    last_seen_at: float
    link: Link | None = None
    listed: bool = False
    """Whether the present socket has told its tools; before that the list is the former socket's."""
    tools: dict[str, JsonObject] = field(default_factory=dict)
    """Definitions by the page's own name."""
    source_id: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def tab_id(self) -> str:
        """The browser's id of the tab, or ``"extension"``."""
        return self.hello.tabId

    def offers(self, original: str) -> bool:
        """Whether a call of `original` can be sent now."""
        return self.link is not None and self.listed and original in self.tools

    def info(self) -> SourceInfo:
        """The source as others are told."""
        return SourceInfo(
            sourceId=self.source_id,
            connectedAt=self.connected_at,
            lastSeenAt=self.last_seen_at,
            toolCount=len(self.tools),
            state="reconnecting" if self.link is None else "connected",
            **self.hello.model_dump(exclude={"type"}),
        )


@dataclass(frozen=True, slots=True)
class PublicTool:
    """A tool under its public name. `definition` has the page's own name and text."""

    name: str
    definition: JsonObject
    source: SourceInfo | None
    """`None` where a joined relay was not told."""


class Registry:
    """Sources by (real Origin, tabId), in the order of their first coming.

    Args:
        reserved: public names that no page's tool may take.
        now: milliseconds since the epoch.
    """

    def __init__(self, reserved: frozenset[str] = frozenset(), now: Callable[[], float] = _now_ms) -> None:
        self._now = now
        self._names = NameTable(reserved)
        self._sources: dict[tuple[str, str], Source] = {}

    def __iter__(self) -> Iterator[Source]:
        return iter(list(self._sources.values()))

    def find(self, real_origin: str, tab_id: str) -> Source | None:
        """The source of that socket Origin and tab, connected or expected back."""
        return self._sources.get((real_origin, tab_id))

    def attach(self, real_origin: str, hello: Hello, link: Link) -> Source:
        """`link` speaks for a tab now: its source is made, or taken up again.

        The tools of the former socket stay until the new one lists its own, unless the site is another.
        """
        source = self.find(real_origin, hello.tabId)
        if source is None:
            source = Source(real_origin, hello, self._now(), self._now())
            self._sources[real_origin, hello.tabId] = source
        if source.hello.origin != hello.origin:
            source.tools = {}
        if source.link is not link:
            source.listed = False
        source.link, source.hello, source.last_seen_at = link, hello, self._now()
        return source

    def set_tools(self, source: Source, tools: list[JsonObject]) -> None:
        """Replace the tools of `source`; of two with one name the first counts."""
        source.last_seen_at = self._now()
        source.listed = True
        by_name: dict[str, JsonObject] = {}
        for tool in tools:
            by_name.setdefault(tool["name"], tool)
        source.tools = by_name
        for original in by_name:
            self._names.claim(source, original, source.tab_id)

    def touch(self, source: Source) -> None:
        """`source` was heard of."""
        source.last_seen_at = self._now()

    def detach(self, source: Source) -> None:
        """The socket is gone, the source may come back."""
        source.link = None
        source.listed = False

    def remove(self, source: Source) -> None:
        """The source has ended; its names are free."""
        self._sources.pop((source.real_origin, source.tab_id), None)
        self._names.release(source)
        source.link, source.tools = None, {}

    def resolve(self, public: str) -> tuple[Source, str] | None:
        """``(source, original name)`` of a tool that is listed now."""
        held = self._names.resolve(public)
        if held is None:
            return None
        source, original = held
        assert isinstance(source, Source)
        return (source, original) if original in source.tools else None

    def tools(self) -> list[PublicTool]:
        """All listed tools, by source in the order of coming."""
        return [tool for source in self for tool in self._tools_of(source)]

    def _tools_of(self, source: Source) -> Iterator[PublicTool]:
        info = source.info()
        for original, definition in source.tools.items():
            yield PublicTool(self._names.claim(source, original, source.tab_id), definition, info)
