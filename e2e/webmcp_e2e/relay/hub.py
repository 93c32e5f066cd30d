"""What a relay that holds the port knows and does: sources, grace, calls. The sockets report to it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from webmcp_e2e.relay.backend import Handle, refreshed, unknown_tool
from webmcp_e2e.relay.calls import CallTable, Done
from webmcp_e2e.relay.jsonio import JsonObject
from webmcp_e2e.relay.registry import Link, PublicTool, Registry, Source
from webmcp_e2e.relay.timings import Timings
from webmcp_e2e.relay.tools import normalized
from webmcp_e2e.relay.wire import Hello, Reload, SourceInfo

NORMAL_CLOSURE: Final = 1000
POLICY_VIOLATION: Final = 1008
_log = logging.getLogger("webmcp_relay.hub")


class Hub:
    """Sources and calls of one relay.

    Args:
        timings: ``relayDeadline`` and ``sourceGrace`` are used.
        reserved: public names that no page's tool may take.
        instance_id: makes call ids differ between relays.
    """

    def __init__(self, timings: Timings, reserved: frozenset[str], instance_id: str) -> None:
        self._grace_s = timings.seconds("sourceGrace")
        self._registry = Registry(reserved)
        self._calls = CallTable(timings.seconds("relayDeadline"), instance_id[:8])
        self._graces: dict[Source, asyncio.TimerHandle] = {}
        self._listeners: list[Callable[[], None]] = []

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change of tools or sources."""
        self._listeners.append(listener)

    def tools(self) -> list[PublicTool]:
        """All listed tools."""
        return self._registry.tools()

    def sources(self) -> list[SourceInfo]:
        """All sources, those without tools too."""
        return [source.info() for source in self._registry]

    def invoke(self, name: str, args: JsonObject, done: Done) -> Handle | None:
        """Call the tool with the public `name`; the handle cancels it, `None` if it has already ended."""
        target = self._registry.resolve(name)
        if target is None:
            done(unknown_tool(name))
            return None
        call = self._calls.start(*target, args, done)
        return None if call is None else lambda: self._calls.cancel(call)

    def refresh(self, url: str, done: Done) -> Handle | None:
        """Reload the tab that shows `url`, or else one of its site."""
        connected = [source for source in self._registry if source.link is not None]
        same_url = (source for source in connected if source.hello.url == url)
        same_site = (source for source in connected if _site(source.hello.url) == _site(url))
        source = next(same_url, None) or next(same_site, None)
        if source is not None and source.link is not None:
            source.link.send(Reload().encoded())
        done(refreshed(source.info() if source is not None else None, url))
        return None

    def hello(self, real_origin: str, hello: Hello, link: Link) -> Source:
        """A socket says for which tab it speaks. A former socket of that tab is closed."""
        before = self._registry.find(real_origin, hello.tabId)
        former = before.link if before is not None else None
        if former is not None and former is not link:
            self._calls.link_lost(former)
            former.close(POLICY_VIOLATION, "a newer connection speaks for this tab")
        source = self._registry.attach(real_origin, hello, link)
        self._calls.site_changed(source)
        if not self._calls.waits_for(source):
            self._end_grace(source)
        self._changed()
        return source

    def list_tools(self, source: Source, tools: list[JsonObject]) -> None:
        """A source told all its tools."""
        clean = [fit for tool in tools if (fit := normalized(tool)) is not None]
        if len(clean) < len(tools):
            _log.warning(
                "%d tools of tab %s have no name and are left out", len(tools) - len(clean), source.tab_id
            )
        self._registry.set_tools(source, clean)
        self._calls.source_listed(source)
        self._changed()

    def result(self, link: Link, frame: JsonObject) -> None:
        """A source answered a call."""
        self._calls.settle(link, frame.get("callId"), frame.get("result"))

    def heard_of(self, source: Source) -> None:
        """A source gave a sign of life."""
        self._registry.touch(source)

    def link_closed(self, source: Source, link: Link, code: int) -> None:
        """The socket of `source` is gone: 1000 ends the source, anything else starts its grace."""
        self._calls.link_lost(link)
        if source.link is not link:
            return
        if code == NORMAL_CLOSURE:
            self.source_ended(source)
            return
        _log.info("tab %s fell away (%d), expected back within %g s", source.tab_id, code, self._grace_s)
        self._registry.detach(source)
        self._end_grace(source)
        loop = asyncio.get_running_loop()
        self._graces[source] = loop.call_later(self._grace_s, self._grace_over, source)
        self._changed()

    def source_ended(self, source: Source) -> None:
        """`source` said good-bye."""
        self._end_grace(source)
        if source.link is not None:
            self._calls.link_lost(source.link)
        self._registry.remove(source)
        self._calls.source_gone(source)
        self._changed()

    def stop(self) -> None:
        """No timer may outlive the relay."""
        for source in list(self._graces):
            self._end_grace(source)

    def _grace_over(self, source: Source) -> None:
        self._graces.pop(source, None)
        if source.link is None:
            self.source_ended(source)
        else:
            # It came back in time, but without the tool that some call waits for.
            self._calls.source_gone(source)

    def _end_grace(self, source: Source) -> None:
        timer = self._graces.pop(source, None)
        if timer is not None:
            timer.cancel()

    def _changed(self) -> None:
        for listener in self._listeners:
            listener()


def _site(url: str | None) -> tuple[str, str] | None:
    if url is None:
        return None
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
