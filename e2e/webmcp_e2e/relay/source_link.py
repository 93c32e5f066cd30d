"""The relay's end of one browser socket: frames in, heartbeat, and what is no frame."""

from __future__ import annotations

import logging
from typing import Final

from webmcp_e2e.relay.channel import Channel
from webmcp_e2e.relay.guard import Guard
from webmcp_e2e.relay.heartbeat import Heartbeat
from webmcp_e2e.relay.hub import POLICY_VIOLATION, Hub
from webmcp_e2e.relay.jsonio import BadJson, JsonObject, decode_object
from webmcp_e2e.relay.registry import Source
from webmcp_e2e.relay.strikes import Strikes
from webmcp_e2e.relay.timings import Timings
from webmcp_e2e.relay.wire import (
    BROWSER_FRAMES,
    Hello,
    HelloAccepted,
    HelloRejected,
    Ping,
    ToolsChanged,
    ToolsList,
    UnknownFrame,
    parse,
)

GOING_AWAY: Final = 1001
_PING: Final = Ping().encoded()
_log = logging.getLogger("webmcp_relay.source")


class SourceLink:
    """One socket that a browser opened.

    Args:
        channel: the open socket.
        origin: its real Origin.
        guard: judges ``hello.origin``.
    """

    def __init__(self, channel: Channel, origin: str, hub: Hub, guard: Guard, timings: Timings) -> None:
        self._channel = channel
        self._origin = origin
        self._hub = hub
        self._guard = guard
        self._source: Source | None = None
        self._strikes = Strikes()
        self._heartbeat = Heartbeat(timings, self._ping, self._silent)

    def send(self, data: bytes) -> None:
        """Send one encoded frame."""
        self._channel.send(data)

    def close(self, code: int, reason: str) -> None:
        """Close the socket."""
        self._channel.close(code, reason)

    def text_received(self, text: str) -> None:
        """One frame came in; what is none is counted and ignored."""
        try:
            frame = decode_object(text)
            kind = frame.get("type")
            if kind == "result":
                self._hub.result(self, frame)
            elif kind == "pong":
                self._pong()
            else:
                self._rare(frame)
        except (BadJson, UnknownFrame) as error:
            self._strike(str(error))

    def channel_closed(self, code: int) -> None:
        """The socket is gone."""
        self._heartbeat.stop()
        if self._source is not None:
            self._hub.link_closed(self._source, self, code)

    def _rare(self, data: JsonObject) -> None:
        frame = parse(BROWSER_FRAMES, data)
        if isinstance(frame, Hello):
            self._hello(frame)
        elif self._source is None or self._source.link is not self:
            raise UnknownFrame(f"{frame.type} before hello")
        elif isinstance(frame, ToolsList | ToolsChanged):
            self._hub.list_tools(self._source, frame.tools)
        else:
            self._hub.source_ended(self._source)
            self._source = None

    def _hello(self, hello: Hello) -> None:
        if not self._guard.allows_hello(self._origin, hello.origin):
            what = f"Pages of {hello.origin} are not allowed."
            mend = f"Start the relay with --allow-origin {hello.origin} if you trust them."
            self.send(HelloRejected(reason="origin_not_allowed", message=f"{what} {mend}").encoded())
            self.close(POLICY_VIOLATION, "origin not allowed")
            return
        if self._source is not None and self._source.tab_id != hello.tabId:
            self._hub.source_ended(self._source)
        self._source = self._hub.hello(self._origin, hello, self)
        self.send(HelloAccepted().encoded())

    def _ping(self) -> None:
        self.send(_PING)

    def _pong(self) -> None:
        self._heartbeat.pong()
        if self._source is not None:
            self._hub.heard_of(self._source)

    def _silent(self) -> None:
        _log.warning("a browser gave no pong in time; its socket is closed")
        self.close(GOING_AWAY, "no pong in time")

    def _strike(self, what: str) -> None:
        _log.warning("a frame that means nothing is ignored: %s", what)
        if self._strikes.strike():
            self.close(POLICY_VIOLATION, "too many frames that mean nothing")
