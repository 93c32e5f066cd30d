"""The hops outside the browser: the MCP client's messages as they pass, and a relay's own recording."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

from .bounds import bounded
from .recorder import Recorder, Source
from .records import Lane, Record

CLIENT: Final = Lane("client", "client", "MCP client")
RELAY: Final = Lane("relay", "relay", "relay")


class ClientTap:
    """Call it with each message of an MCP client: ``("out", text)`` or ``("in", text)``, ``text`` giving its JSON."""

    def __init__(self, recorder: Recorder, name: str = "") -> None:
        self._recorder = recorder
        self._lane = Lane(f"client:{name}", "client", f"MCP client {name}") if name else CLIENT

    def __call__(self, way: Literal["in", "out"], text: Callable[[], str]) -> None:
        """One message; written out and parsed only when somebody reads the recording."""
        self._recorder.add(self._lane, f"rpc.{way}", text=text)


def tape_reader(path: Path, name: str = "") -> Source:
    """A source for a recorder: what a relay has written so far with ``--record``."""
    lane = Lane(f"relay:{name}", "relay", f"relay {name}") if name else RELAY

    def read() -> tuple[Lane, list[Record]]:
        return lane, [record for line in _lines(path) if (record := _record(line, lane)) is not None]

    return read


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError:
        return []


def _record(line: bytes, lane: Lane) -> Record | None:
    """None for a line whose message was no JSON."""
    try:
        taped: dict[str, Any] = json.loads(line)
        kind = str(taped["kind"]).replace("stdio.", "rpc.")
        record = {"t": float(taped["t"]), "lane": lane.id, "kind": kind, "data": bounded(taped["data"])}
    except (ValueError, LookupError, TypeError):
        return None
    return {**record, "socket": taped["socket"]} if "socket" in taped else record
