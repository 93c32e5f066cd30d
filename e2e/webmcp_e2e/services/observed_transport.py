"""An MCP client's transport, with somebody who hears every message that passes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Literal, Self

from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared.message import SessionMessage

MessageListener = Callable[[Literal["in", "out"], Callable[[], str]], None]
"""Hears of each message; the function that it gets gives the JSON text, now or later. ``out``: the client sends it.
Called on the client's loop."""


@asynccontextmanager
async def observed(
    transport: AbstractAsyncContextManager[TransportStreams], listener: MessageListener
) -> AsyncIterator[TransportStreams]:
    """The same transport, heard by ``listener``."""
    async with transport as (read, write):
        yield _Read(read, listener), _Write(write, listener)


def _text(message: SessionMessage) -> Callable[[], str]:
    return lambda: message.message.model_dump_json(by_alias=True, exclude_unset=True)


class _Stream:
    """What both directions share: the listener, and being an async context."""

    def __init__(self, stream: ReadStream[SessionMessage | Exception] | WriteStream[SessionMessage]) -> None:
        self._stream = stream

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stream.aclose()


class _Read(_Stream):
    """What the server sends."""

    def __init__(self, stream: ReadStream[SessionMessage | Exception], listener: MessageListener) -> None:
        super().__init__(stream)
        self._source = stream
        self._listener = listener

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        return self._heard(await self._source.receive())

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return self._heard(await self._source.__anext__())

    def _heard(self, message: SessionMessage | Exception) -> SessionMessage | Exception:
        if isinstance(message, SessionMessage):
            self._listener("in", _text(message))
        return message


class _Write(_Stream):
    """What the client sends."""

    def __init__(self, stream: WriteStream[SessionMessage], listener: MessageListener) -> None:
        super().__init__(stream)
        self._sink = stream
        self._listener = listener

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        self._listener("out", _text(item))
        await self._sink.send(item)
