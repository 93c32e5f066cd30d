"""The server's end of a relay that joined: it lists and calls our tools by their public names."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol

from webmcp_e2e.contract import LIMITS
from webmcp_e2e.relay.backend import Handle
from webmcp_e2e.relay.calls import Done
from webmcp_e2e.relay.channel import Channel
from webmcp_e2e.relay.hub import POLICY_VIOLATION
from webmcp_e2e.relay.jsonio import BadJson, JsonObject, decode_object, encode
from webmcp_e2e.relay.results import error_result
from webmcp_e2e.relay.strikes import Strikes
from webmcp_e2e.relay.wire import (
    JOINING_FRAMES,
    RelayCancel,
    RelayHello,
    RelayInvoke,
    UnknownFrame,
    parse,
)

_log = logging.getLogger("webmcp_relay.joining")


class JoiningHost(Protocol):
    """What a joined relay may use of its server."""

    def tools_frame(self, changed: bool) -> bytes:
        """``relay/tools``, or ``relay/tools-changed``, encoded."""

    def invoke(self, name: str, args: JsonObject, done: Done) -> Handle | None:
        """Call a tool by its public name."""


class JoiningLink:
    """One relay that joined. It gets no heartbeat.

    Args:
        gone: called when the socket is.
    """

    def __init__(self, channel: Channel, host: JoiningHost, gone: Callable[[JoiningLink], None]) -> None:
        self._channel = channel
        self._host = host
        self._gone = gone
        self._calls: dict[str, Handle | None] = {}
        self._takes = LIMITS["peerFrame"]
        self._strikes = Strikes()
        self._asked = False
        self._listening = False

    def push_tools(self) -> None:
        """Tell the other relay that tools changed; one whose first list is under way gets them with it."""
        if self._listening or not self._asked:
            self._channel.send(self._host.tools_frame(changed=True))

    def close(self, code: int, reason: str) -> None:
        """Close the socket."""
        self._channel.close(code, reason)

    def text_received(self, text: str) -> None:
        """One frame came in; what is none is counted and ignored."""
        try:
            self._dispatch(parse(JOINING_FRAMES, decode_object(text)))
        except (BadJson, UnknownFrame) as error:
            _log.warning("a relay frame that means nothing is ignored: %s", error)
            if self._strikes.strike():
                self.close(POLICY_VIOLATION, "too many frames that mean nothing")

    def channel_closed(self, code: int) -> None:
        """The other relay is gone, and with it whoever waited for its calls."""
        self._gone(self)
        for cancel in list(self._calls.values()):
            if cancel is not None:
                cancel()
        self._calls.clear()

    def _dispatch(self, frame: object) -> None:
        if isinstance(frame, RelayInvoke):
            self._invoke(frame)
        elif isinstance(frame, RelayCancel):
            cancel = self._calls.pop(frame.callId, None)
            if cancel is not None:
                cancel()
        elif isinstance(frame, RelayHello):
            self._takes = frame.maxPayload or LIMITS["peerFrame"]
        elif self._listening:
            self._channel.send(self._host.tools_frame(changed=False))
        elif not self._asked:
            # The published relay (2.2.0) loses a frame that reaches it together with `server-hello`, and
            # asks for the tools once: they wait until it has read the hello.
            self._asked = True
            self._channel.when_read(self._first_list)

    def _first_list(self) -> None:
        self._listening = True
        self._channel.send(self._host.tools_frame(changed=False))

    def _invoke(self, frame: RelayInvoke) -> None:
        if frame.callId in self._calls:
            raise UnknownFrame(f"call {frame.callId!r} is already in flight")
        self._calls[frame.callId] = None
        handle = self._host.invoke(frame.toolName, frame.args or {}, partial(self._answer, frame.callId))
        if frame.callId in self._calls:
            self._calls[frame.callId] = handle

    def _answer(self, call_id: str, result: JsonObject) -> None:
        self._calls.pop(call_id, None)
        data = encode({"type": "relay/result", "callId": call_id, "result": result})
        if len(data) > self._takes:
            what = f"the result has {len(data)} bytes and the relay that asked takes {self._takes}"
            result = error_result("too_large", "yes", what, "Ask for less, or ask the other relay.")
            data = encode({"type": "relay/result", "callId": call_id, "result": result})
        self._channel.send(data)
