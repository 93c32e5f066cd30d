"""Chromium's debugging pipe: NUL-terminated JSON messages over two file descriptors."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable


class PipeReader(asyncio.Protocol):
    """Cuts what Chromium writes into messages; ``on_end`` is called when Chromium has closed its end."""

    def __init__(self, on_message: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._on_message = on_message
        self._on_end = on_end
        self._rest: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        """Hands on every message that ``data`` completes."""
        *complete, rest = data.split(b"\0")
        for part in complete:
            self._on_message(self._completed(part))
        if rest:
            self._rest.append(rest)

    def _completed(self, last: bytes) -> bytes:
        if not self._rest:
            return last
        message = b"".join([*self._rest, last])
        self._rest.clear()
        return message

    def connection_lost(self, exc: Exception | None) -> None:
        """The pipe is closed, from whichever side."""
        self._on_end()


class _PipeWriter(asyncio.BaseProtocol):
    """Nothing to do: what is written is buffered by the transport, a full pipe drains as Chromium reads."""


class Pipe:
    """Both directions; lives on one event loop."""

    def __init__(self, reader: asyncio.ReadTransport, writer: asyncio.WriteTransport) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(
        cls, read_fd: int, write_fd: int, on_message: Callable[[bytes], None], on_end: Callable[[], None]
    ) -> Pipe:
        """Takes over both descriptors and closes them in the end."""
        loop = asyncio.get_running_loop()
        reading = lambda: PipeReader(on_message, on_end)  # noqa: E731
        reader, _ = await loop.connect_read_pipe(reading, os.fdopen(read_fd, "rb", 0))
        writer, _ = await loop.connect_write_pipe(_PipeWriter, os.fdopen(write_fd, "wb", 0))
        return cls(reader, writer)

    def send(self, message: bytes) -> None:
        """Sends one message (JSON without a NUL)."""
        if not self._writer.is_closing():
            self._writer.write(message + b"\0")

    def pause_reading(self) -> None:
        """Lets Chromium wait, because the receiver is slower."""
        if not self._reader.is_closing():
            self._reader.pause_reading()

    def resume_reading(self) -> None:
        """Undoes ``pause_reading``."""
        if not self._reader.is_closing():
            self._reader.resume_reading()

    def close(self) -> None:
        """Closes both ends; Chromium ends itself when it sees that."""
        self._reader.close()
        if not self._writer.is_closing():
            self._writer.abort()
