"""MCP over stdin and stdout as raw lines; what a page's tool needs skips the SDK.

The SDK's own transport parses every line into models, hands it through several streams and tasks, and
validates the result twice. Here a line is parsed once; ``tools/call`` of a page's tool and the cancellation
of one are served at once (``fast_path``), everything else goes to the SDK's server.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from typing import BinaryIO, Final, cast

from webmcp_e2e.relay.tape import Tape

_log = logging.getLogger("webmcp_relay.stdio")
_CHUNK: Final = 1 << 18


class LineReader(asyncio.Protocol):
    """Cuts what comes in on stdin into lines.

    Args:
        line_received: gets each line without its end, never an empty one.
        ended: called once at the end of input.
    """

    def __init__(self, line_received: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self._line_received = line_received
        self._ended = ended
        self._pending: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        """Bytes came in."""
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._pending.append(line)
            whole = b"".join(self._pending).strip()
            self._pending.clear()
            if whole:
                self._line_received(whole)
        if rest:
            self._pending.append(rest)

    def eof_received(self) -> None:
        """The client sends no more."""
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stdin is gone."""
        self._end()

    def _end(self) -> None:
        ended, self._ended = self._ended, lambda: None
        ended()


class LineWriter(asyncio.BaseProtocol):
    """Writes lines to stdout; `lost` is called when nobody reads it any more."""

    def __init__(self, lost: Callable[[], None], tape: Tape | None = None) -> None:
        self._lost = lost
        self._tape = tape
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Stdout can be written."""
        # uvloop's transports do not derive from asyncio's.
        self._transport = cast(asyncio.WriteTransport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody reads stdout any more."""
        self._transport = None
        self._lost()

    def write(self, line: bytes) -> None:
        """Write `line` and its end."""
        if self._tape is not None:
            self._tape.stdio("out", line)
        if self._transport is not None:
            self._transport.write(line + b"\n")

    @property
    def is_empty(self) -> bool:
        """Whether everything written has left the process."""
        return self._transport is None or self._transport.get_write_buffer_size() == 0


async def open_stdio(reader: LineReader, writer: LineWriter) -> None:
    """Connect the two to stdin and stdout.

    File descriptor 1 is stderr from then on: a stray print must not reach the client.
    """
    loop = asyncio.get_running_loop()
    stdout = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    await _connect_writer(loop, writer, stdout)
    stdin = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    try:
        await loop.connect_read_pipe(lambda: reader, stdin)
    except (ValueError, OSError):
        # A file or /dev/null cannot be polled.
        loop.run_in_executor(None, _read_file, loop, stdin, reader)


async def _connect_writer(loop: asyncio.AbstractEventLoop, writer: LineWriter, stdout: BinaryIO) -> None:
    try:
        await loop.connect_write_pipe(lambda: writer, stdout)
    except (ValueError, OSError):
        writer.connection_made(_FileTransport(stdout))


def _read_file(loop: asyncio.AbstractEventLoop, stdin: BinaryIO, reader: LineReader) -> None:
    while data := stdin.read(_CHUNK):
        loop.call_soon_threadsafe(reader.data_received, data)
    loop.call_soon_threadsafe(reader.eof_received)


class _FileTransport(asyncio.WriteTransport):
    """Stdout that is a file: written at once."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._file.write(data)

    def get_write_buffer_size(self) -> int:
        return 0
