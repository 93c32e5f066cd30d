"""A relay that found its port held by another relay: it joins, and offers that one's tools as its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from typing import Final

from websockets.client import ClientProtocol
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from webmcp_e2e.contract import LIMITS
from webmcp_e2e.relay.backend import Handle, unknown_tool
from webmcp_e2e.relay.calls import Done
from webmcp_e2e.relay.channel import ClientChannel
from webmcp_e2e.relay.jsonio import BadJson, JsonObject, decode_object, encode
from webmcp_e2e.relay.management import OPEN_PAGE
from webmcp_e2e.relay.naming import NameTable
from webmcp_e2e.relay.registry import PublicTool
from webmcp_e2e.relay.results import error_result, tool_result
from webmcp_e2e.relay.timings import Timings
from webmcp_e2e.relay.wire import (
    JOINED_FRAMES,
    RELAY_PROTOCOL,
    RelayCancel,
    RelayHello,
    RelayListTools,
    RelayTools,
    ServerHello,
    SourceInfo,
    UnknownFrame,
    parse,
)

_UPSTREAM: Final = "upstream"
_log = logging.getLogger("webmcp_relay.peer")


class NotARelay(Exception):
    """Whoever listens there did not answer as a relay in time."""


def _seen(ended: asyncio.Future[None]) -> None:
    """An error that nobody awaits is no news: the socket fell before the wait for it began."""
    if not ended.cancelled():
        ended.exception()


class _Pending:
    __slots__ = ("done", "timer")

    def __init__(self, done: Done, timer: asyncio.TimerHandle) -> None:
        self.done = done
        self.timer = timer


class JoinedRelay:
    """Tools and sources of the relay at the other end of `channel`.

    Args:
        timings: ``joinedRelayDeadline`` is used.
        reserved: names that no page's tool gets.
        changed: called when its tools or sources changed.
    """

    def __init__(
        self,
        channel: ClientChannel,
        timings: Timings,
        reserved: frozenset[str],
        changed: Callable[[], None],
    ) -> None:
        self._channel = channel
        self._deadline = timings.seconds("joinedRelayDeadline")
        # The published relay allows longer names than our clients get.
        self._names = NameTable(reserved)
        self._changed = changed
        self.lost: Callable[[], None] = lambda: None
        """Called when the other relay is gone."""
        self._numbers = count(1)
        self._pending: dict[str, _Pending] = {}
        self._state = RelayTools(tools=[])
        self._listed: frozenset[str] = frozenset()
        self._takes = LIMITS["peerFrame"]
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Resolves once the other end has shown that it is a relay and told its tools."""
        self.welcomed.add_done_callback(_seen)

    def introduce(self) -> None:
        """Say that we join, and ask for the tools."""
        self._channel.send(RelayHello(maxPayload=LIMITS["frame"]).encoded())
        self._channel.send(RelayListTools().encoded())

    def close(self) -> None:
        """Leave; nobody is told that the relay was lost."""
        self.lost = lambda: None
        self._channel.close(1000, "this relay ends")

    def tools(self) -> list[PublicTool]:
        """All tools of the other relay."""
        return [self._public(tool) for tool in self._state.tools]

    def sources(self) -> list[SourceInfo]:
        """All sources of the other relay."""
        return self._state.sources

    def invoke(self, name: str, args: JsonObject, done: Done) -> Handle | None:
        """Call a tool through the other relay."""
        held = self._names.resolve(name)
        if held is None or held[1] not in self._listed:
            done(unknown_tool(name))
            return None
        return self._ask(held[1], args, done)

    def refresh(self, url: str, done: Done) -> Handle | None:
        """Only the relay that holds the sockets can reload a tab: it is asked as if by its client."""
        return self._ask(OPEN_PAGE, {"url": url, "refresh": True}, done)

    def text_received(self, text: str) -> None:
        """One frame of the other relay."""
        try:
            data = decode_object(text)
            if data.get("type") == "relay/result":
                self._settle(data)
            else:
                self._frame(parse(JOINED_FRAMES, data))
        except (BadJson, UnknownFrame) as error:
            _log.warning("a frame of the other relay means nothing and is ignored: %s", error)

    def channel_closed(self, code: int) -> None:
        """The other relay is gone: what was asked of it may or may not have run."""
        what = "the relay that this one had joined went away while the tool ran"
        mend = "Check what the tool did before you repeat; this relay takes over."
        for call_id in list(self._pending):
            self._end(call_id, error_result("relay_gone", "unknown", what, mend))
        if not self.welcomed.done():
            self.welcomed.set_exception(NotARelay("closed before it told its tools"))
        self.lost()

    def _public(self, tool: JsonObject) -> PublicTool:
        theirs = tool["name"]
        by_id = {source.sourceId: source for source in self._state.sources}
        source_id = next(iter(self._state.toolSourceMap.get(theirs, [])), None)
        public = self._names.claim(_UPSTREAM, theirs, "relay")
        return PublicTool(public, tool, by_id.get(source_id) if source_id else None)

    def _frame(self, frame: ServerHello | RelayTools) -> None:
        if isinstance(frame, ServerHello):
            self._takes = frame.maxPayload or LIMITS["peerFrame"]
            return
        self._take(frame)
        if not self.welcomed.done():
            self.welcomed.set_result(None)
        self._changed()

    def _take(self, told: RelayTools) -> None:
        tools = [tool for tool in told.tools if isinstance(tool.get("name"), str)]
        self._state = told.model_copy(update={"tools": tools})
        for tool in tools:
            self._names.claim(_UPSTREAM, tool["name"], "relay")
        self._listed = frozenset(tool["name"] for tool in tools)

    def _ask(self, name: str, args: JsonObject, done: Done) -> Handle | None:
        call_id = f"joined-{next(self._numbers)}"
        data = encode({"type": "relay/invoke", "callId": call_id, "toolName": name, "args": args})
        if len(data) > self._takes:
            what = f"the call has {len(data)} bytes and the relay in between takes {self._takes}"
            done(error_result("too_large", "no", what, "Send less in one call."))
            return None
        timer = asyncio.get_running_loop().call_later(self._deadline, self._expire, call_id)
        self._pending[call_id] = _Pending(done, timer)
        self._channel.send(data)
        return lambda: self._cancel(call_id)

    def _settle(self, frame: JsonObject) -> None:
        call_id = frame.get("callId")
        if isinstance(call_id, str):
            self._end(call_id, tool_result(frame.get("result")))

    def _end(self, call_id: str, result: JsonObject) -> None:
        pending = self._pending.pop(call_id, None)
        if pending is not None:
            pending.timer.cancel()
            pending.done(result)

    def _cancel(self, call_id: str) -> None:
        pending = self._pending.pop(call_id, None)
        if pending is not None:
            pending.timer.cancel()
            self._channel.send(RelayCancel(callId=call_id).encoded())

    def _expire(self, call_id: str) -> None:
        self._channel.send(RelayCancel(callId=call_id).encoded())
        what = f"no answer within {self._deadline:g} s through the relay that this one has joined"
        self._end(
            call_id, error_result("timeout", "unknown", what, "Check what the tool did before you repeat.")
        )


async def join(
    host: str, port: int, timings: Timings, reserved: frozenset[str], changed: Callable[[], None]
) -> JoinedRelay:
    """Join the relay at `port`.

    Raises:
        NotARelay: nobody there, or no relay; the timing ``probe`` bounds the wait.
    """
    uri = parse_uri(f"ws://{host}:{port}/")
    core = ClientProtocol(uri, subprotocols=[Subprotocol(RELAY_PROTOCOL)], max_size=LIMITS["frame"])
    channel = ClientChannel(core)
    joined = JoinedRelay(channel, timings, reserved, changed)
    channel.user = joined
    try:
        async with asyncio.timeout(timings.seconds("probe")):
            await asyncio.get_running_loop().create_connection(lambda: channel, host, port)
            await channel.opened
            joined.introduce()
            await joined.welcomed
    except (OSError, WebSocketException, NotARelay) as error:
        channel.abort()
        raise NotARelay(f"port {port}: {error or 'no answer in time'}") from error
    return joined
