"""Writes down what crosses the relay's borders, for the harness's hops: only where ``--record FILE`` asks for it.

One JSON line each: ``{"t": ms since 1970, "kind": "socket.in"|"socket.out"|"stdio.in"|"stdio.out", "socket": n,
"data": the message}``. Messages are not parsed: a line whose message was no JSON is no JSON either.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Literal

Direction = Literal["in", "out"]


class Tape:
    """An open recording. Each line is written at once, so that a killed relay leaves all of it."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._sockets = 0

    def new_socket(self) -> int:
        """A number for one more socket."""
        self._sockets += 1
        return self._sockets

    def socket(self, way: Direction, number: int, data: bytes) -> None:
        """A frame of a websocket."""
        self._write(f"socket.{way}", f'"socket":{number},', data)

    def stdio(self, way: Direction, line: bytes) -> None:
        """A line of MCP."""
        self._write(f"stdio.{way}", "", line)

    def lines_in(self, received: Callable[[bytes], None]) -> Callable[[bytes], None]:
        """``received``, with each line written down first."""

        def taped(line: bytes) -> None:
            self.stdio("in", line)
            received(line)

        return taped

    def _write(self, kind: str, more: str, data: bytes) -> None:
        head = f'{{"t":{time.time() * 1000:.3f},"kind":"{kind}",{more}"data":'.encode()
        os.write(self._file, head + data.replace(b"\n", b" ") + b"}\n")
