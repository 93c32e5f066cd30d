"""One websocket over the sans-I/O core of ``websockets``: text in and out, without a task of its own.

A frame that came in is handed on in the same turn of the event loop, and one that goes out is written at
once. A task and a queue on each socket, as the library's own connection has, would double the cost of a call.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, Protocol, cast

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from webmcp_e2e.contract import LIMITS
from webmcp_e2e.relay.guard import Admission, Refused
from webmcp_e2e.relay.tape import Tape

QUEUE_LIMIT: Final = 2 * LIMITS["frame"]
"""Bytes that may wait for a slow reader: two frames of the largest size."""
_CLOSE_TIMEOUT: Final = 1.0
_HANDSHAKE_TIMEOUT: Final = 10.0
_log = logging.getLogger("webmcp_relay.socket")
# The library's own log of every connection would drown ours.
_quiet = logging.getLogger("webmcp_relay.websockets")
_quiet.setLevel(logging.ERROR)


def _seen(ended: asyncio.Future[None]) -> None:
    """An error that nobody awaits is no news: whoever opened the socket has given up."""
    if not ended.cancelled():
        ended.exception()


class ChannelUser(Protocol):
    """Whoever speaks through a channel."""

    def text_received(self, text: str) -> None:
        """A text message came in."""

    def channel_closed(self, code: int) -> None:
        """The socket is gone; `code` is the close code, 1006 where none was exchanged."""


class Channel(asyncio.Protocol):
    """What both ends share: frames, messages, closing, and the bound on what waits to be written."""

    def __init__(self, core: ServerProtocol | ClientProtocol) -> None:
        self._core = core
        self._transport: asyncio.Transport | None = None
        self._parts: list[bytes] = []
        self._timer: asyncio.TimerHandle | None = None
        self._closed_callbacks: list[Callable[[], None]] = []
        self._when_read: list[Callable[[], None]] = []
        self.user: ChannelUser | None = None
        self._tape: Tape | None = None
        self._number = 0

    def record(self, tape: Tape) -> None:
        """Write down every message from now on."""
        self._tape, self._number = tape, tape.new_socket()

    def on_closed(self, callback: Callable[[], None]) -> None:
        """Call `callback` when the socket is gone."""
        self._closed_callbacks.append(callback)

    @property
    def is_open(self) -> bool:
        """Whether a message can be sent."""
        return self._core.state is State.OPEN

    def send(self, data: bytes) -> None:
        """Send UTF-8 `data` as one text message; without effect on a socket that is closing."""
        if self._core.state is State.OPEN:
            if self._tape is not None:
                self._tape.socket("out", self._number, data)
            self._core.send_text(data)
            self._flush()

    def when_read(self, callback: Callable[[], None]) -> None:
        """Call `callback` once the other side has read all that was sent so far: it answers a ping after it."""
        if self._core.state is State.OPEN:
            self._when_read.append(callback)
            self._core.send_ping(b"")
            self._flush()

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake; the socket is gone at the latest a second later."""
        if self._core.state is State.OPEN:
            self._core.send_close(code, reason)
            self._flush()
        elif self._core.state is State.CONNECTING:
            self.abort()

    def abort(self) -> None:
        """Drop the connection without ceremony."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The TCP connection stands; the handshake has to follow in time."""
        # uvloop's transports do not derive from asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        self._timer = asyncio.get_running_loop().call_later(_HANDSHAKE_TIMEOUT, self.abort)

    def data_received(self, data: bytes) -> None:
        """Bytes came in."""
        self._core.receive_data(data)
        self._pump()

    def eof_received(self) -> None:
        """The other side sends no more."""
        self._core.receive_eof()
        self._pump()

    def connection_lost(self, exc: Exception | None) -> None:
        """The TCP connection is gone."""
        self._stop_timer()
        if self._core.state is not State.CLOSED and exc is None:
            # After an EOF the core has closed by itself; after an abort it still has to hear of it.
            self._core.receive_eof()
        user, self.user = self.user, None
        if user is not None:
            user.channel_closed(self._close_code())
        for callback in self._closed_callbacks:
            callback()

    def handshake_event(self, event: Request | Response) -> None:
        """The other side's half of the opening handshake came in."""
        raise NotImplementedError

    def handshake_done(self) -> None:
        """Both halves are exchanged: the time limit of the handshake no longer counts."""
        self._stop_timer()

    def _close_code(self) -> int:
        received = self._core.close_rcvd
        return CloseCode.ABNORMAL_CLOSURE if received is None else received.code

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _pump(self) -> None:
        for event in self._core.events_received():
            if isinstance(event, Frame):
                self._frame_received(event)
            else:
                self.handshake_event(event)
        self._flush()

    def _frame_received(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT and frame.fin:
            self._deliver(frame.data)
        elif frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                whole, self._parts = b"".join(self._parts), []
                self._deliver(whole)
        elif frame.opcode is Opcode.PONG and self._when_read:
            # Pongs come in the order of the pings, and one nobody asked for only calls early.
            self._when_read.pop(0)()

    def _deliver(self, data: bytes | bytearray | memoryview) -> None:
        if self.user is None:
            return
        if self._tape is not None:
            self._tape.socket("in", self._number, bytes(data))
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            self._core.fail(CloseCode.INVALID_DATA, "text is not UTF-8")
            return
        self.user.text_received(text)

    def _flush(self) -> None:
        transport = self._transport
        if transport is None:
            return
        for data in self._core.data_to_send():
            if data is not SEND_EOF:
                transport.write(data)
            elif transport.can_write_eof():
                transport.write_eof()
        if transport.get_write_buffer_size() > QUEUE_LIMIT:
            _log.warning("a reader is too slow, %d bytes wait; its socket is dropped", QUEUE_LIMIT)
            transport.abort()
        elif self._timer is None and self._core.close_expected():
            self._timer = asyncio.get_running_loop().call_later(_CLOSE_TIMEOUT, self.abort)


class ServerChannel(Channel):
    """A socket that somebody opened to us.

    Args:
        admit: judges the handshake request; raises `Refused`.
        opened: called once the socket is open; it sets `user`.
    """

    def __init__(
        self,
        admit: Callable[[Request], Admission],
        opened: Callable[[ServerChannel, Admission], None],
    ) -> None:
        core = ServerProtocol(
            max_size=LIMITS["frame"], logger=_quiet, select_subprotocol=lambda _core, _offered: self._chosen()
        )
        super().__init__(core)
        self._server_core = core
        self._admit = admit
        self._opened = opened
        self._admission: Admission | None = None

    def handshake_event(self, event: Request | Response) -> None:
        """Judge the request and answer it."""
        assert isinstance(event, Request)
        core = self._server_core
        try:
            self._admission = self._admit(event)
        except Refused as refused:
            # A browser asks by plain HTTP whether anyone is here before it opens a websocket.
            asks_only = refused.status is HTTPStatus.UPGRADE_REQUIRED
            _log.log(logging.DEBUG if asks_only else logging.WARNING, "handshake refused: %s", refused)
            core.send_response(core.reject(refused.status, f"{refused}\n"))
            return
        core.send_response(core.accept(event))
        self._flush()
        if core.state is State.OPEN:
            self.handshake_done()
            self._opened(self, self._admission)

    def _chosen(self) -> Subprotocol | None:
        return Subprotocol(self._admission.subprotocol) if self._admission else None


class ClientChannel(Channel):
    """A socket that we open. `opened` resolves with the handshake, or raises what was wrong with it."""

    def __init__(self, core: ClientProtocol) -> None:
        super().__init__(core)
        self._client_core = core
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.opened.add_done_callback(_seen)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The TCP connection stands: send the handshake request."""
        super().connection_made(transport)
        self._client_core.send_request(self._client_core.connect())
        self._flush()

    def handshake_event(self, event: Request | Response) -> None:
        """The server answered the handshake."""
        self.handshake_done()
        if self.opened.done():
            return
        if self._client_core.handshake_exc is not None:
            self.opened.set_exception(self._client_core.handshake_exc)
        else:
            self.opened.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """The TCP connection is gone, perhaps before the handshake was done."""
        if not self.opened.done():
            error = exc or self._client_core.handshake_exc or InvalidState("closed in the handshake")
            self.opened.set_exception(ConnectionError(str(error)))
        super().connection_lost(exc)
