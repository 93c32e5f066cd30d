"""Where workers' taps send their records: a loopback port at a path that nobody can guess.

``fetch`` is the one way out of an unobserved worker that neither keeps it alive nor wakes it (measured).
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Final

_LARGEST: Final = 64 * 1024 * 1024
_DONE: Final = b"HTTP/1.1 204 No Content\r\n\r\n"
_REFUSED: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Sink:
    """Lives on one event loop; ``received`` gets the last part of the path, and each body, on that loop."""

    def __init__(self, received: Callable[[str, bytes], None]) -> None:
        self._received = received
        self._path = f"/{secrets.token_hex(16)}"
        self._server: asyncio.Server | None = None
        self._port = 0

    def url(self, sender: str) -> str:
        """Where this sender POSTs."""
        return f"http://127.0.0.1:{self._port}{self._path}/{sender}"

    async def open(self) -> None:
        """Takes a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Lets the port go; idempotent."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, ValueError):
            while await self._one(reader, writer):
                pass
        writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        length = int(headers.get("content-length", "0"))
        path, _, sender = head[0].removeprefix("POST ").removesuffix(" HTTP/1.1").rpartition("/")
        if path != self._path or not self._is_for_us(headers) or length > _LARGEST:
            writer.write(_REFUSED)
            return False
        body = await reader.readexactly(length)
        writer.write(_DONE)
        self._received(sender, body)
        return True

    def _is_for_us(self, headers: dict[str, str]) -> bool:
        """A foreign ``Host`` is a name that somebody pointed at this machine."""
        return headers.get("host") == f"127.0.0.1:{self._port}"
