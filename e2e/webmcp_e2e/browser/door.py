"""The gate's private door: one loopback websocket, for one client that knows the way, then closed.

Built on the sans-I/O core of ``websockets``, so that a message crosses without a task switch.
"""

from __future__ import annotations

import asyncio
import secrets
from http import HTTPStatus
from typing import Final, Protocol, cast

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

_HOST: Final = "127.0.0.1"
_PATH_BYTES: Final = 16
_DATA: Final = frozenset({Opcode.TEXT, Opcode.BINARY, Opcode.CONT})


class DoorEvents(Protocol):
    """What the owner of the door is told."""

    def client_message(self, message: bytes) -> None:
        """One whole message of the client."""

    def client_gone(self) -> None:
        """The one client has left."""

    def client_slow(self, slow: bool) -> None:
        """The client's buffer is full (true) or has room again (false)."""


class Door:
    """Listens until its one client is in; every other handshake is refused before it learns anything."""

    def __init__(self, events: DoorEvents) -> None:
        self._events = events
        self._path = f"/{secrets.token_hex(_PATH_BYTES)}"
        self._server: asyncio.Server | None = None
        self._client: _Connection | None = None
        self._connections: set[_Connection] = set()
        self.port = 0

    @property
    def endpoint(self) -> str:
        """The websocket URL. Whoever has it and comes first owns the browser: never log it."""
        return f"ws://{_HOST}:{self.port}{self._path}"

    @property
    def listening(self) -> bool:
        """Whether the port still takes connections."""
        return self._server is not None

    async def open(self) -> None:
        """Starts to listen, on a port that the system chooses."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), _HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def refusal(self, request: Request) -> str | None:
        """Why this handshake is refused, or none. Browsers always send ``Origin``, Playwright never does."""
        if self._client is not None:
            return "taken"
        if "Origin" in request.headers:
            return "no web page may use the gate"
        if request.headers.get_all("Host") != [f"{_HOST}:{self.port}"]:
            return "wrong host"
        return None if secrets.compare_digest(request.path, self._path) else "wrong path"

    def opened(self, connection: _Connection) -> None:
        """A connection has come in; it is no client yet."""
        self._connections.add(connection)

    def admit(self, connection: _Connection) -> None:
        """The one client is in: stop listening and drop whoever else is at the door."""
        self._client = connection
        self._stop_listening()
        for other in self._connections - {connection}:
            other.abort()

    def closed(self, connection: _Connection) -> None:
        """A connection has ended."""
        self._connections.discard(connection)
        if connection is self._client:
            self._events.client_gone()

    def received(self, message: bytes) -> None:
        """Passes a message of the client on."""
        self._events.client_message(message)

    def slow(self, connection: _Connection, slow: bool) -> None:
        """Passes on that the client's buffer is full, or no more."""
        if connection is self._client:
            self._events.client_slow(slow)

    def send(self, message: bytes) -> None:
        """Sends one text message to the client; without one it is dropped."""
        if self._client is not None:
            self._client.send(message)

    def close(self) -> None:
        """Ends everything, after what was sent has left; idempotent."""
        self._stop_listening()
        for connection in list(self._connections):
            connection.close()

    def _stop_listening(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None


class _Connection(asyncio.Protocol):
    """One TCP connection at the door."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._protocol = ServerProtocol(max_size=None)
        self._transport: asyncio.Transport | None = None
        self._parts: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are no subclasses of asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        self._door.opened(self)

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._handshake(event)
            elif isinstance(event, Frame) and event.opcode in _DATA:
                self._data(event)
        self._flush()

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.closed(self)

    def pause_writing(self) -> None:
        self._door.slow(self, True)

    def resume_writing(self) -> None:
        self._door.slow(self, False)

    def send(self, message: bytes) -> None:
        """Sends ``message`` (UTF-8) as one text frame."""
        self._protocol.send_text(message)
        self._flush()

    def close(self) -> None:
        """Closes the connection once its buffer is empty."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Drops the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _handshake(self, request: Request) -> None:
        refusal = self._door.refusal(request)
        if refusal is not None:
            self._protocol.send_response(self._protocol.reject(HTTPStatus.FORBIDDEN, refusal))
            return
        response = self._protocol.accept(request)
        self._protocol.send_response(response)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self._door.admit(self)

    def _data(self, frame: Frame) -> None:
        self._parts.append(bytes(frame.data))
        if frame.fin:
            message = b"".join(self._parts) if len(self._parts) > 1 else self._parts[0]
            self._parts.clear()
            self._door.received(message)

    def _flush(self) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        for data in self._protocol.data_to_send():
            if data:
                transport.write(data)
            else:
                transport.close()
