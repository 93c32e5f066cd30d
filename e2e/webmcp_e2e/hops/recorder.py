"""Keeps what the taps and our own side tell, on one clock: milliseconds since 1970."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from .bounds import bounded
from .parcels import Opener
from .records import Clock, Lane, Parcel, Record, Skew
from .redaction import Redactor

LIMIT: Final = 100_000
"""Records and batches kept of one test; what comes later is counted only."""


Source = Callable[[], tuple[Lane, list[Record]]]
"""Gives the records of a lane that keeps them by itself."""


@dataclass(frozen=True)
class Recording:
    """All of one test, without secrets, in the order of time."""

    records: list[Record]
    lanes: list[Lane]
    skews: dict[str, Skew]
    """By context."""
    lost: int
    """Records that did not arrive, or came when the recorder was full."""


class Recorder:
    """Takes records from any thread. To take one costs an append: they are opened when somebody asks."""

    def __init__(self, redactor: Redactor | None = None) -> None:
        self.redactor = redactor or Redactor()
        self.clock = Clock()
        self._lock = threading.Lock()
        self._taken: list[Record | Parcel] = []
        self._dropped = 0
        self._lanes: dict[str, Lane] = {}
        self._names: dict[str, str] = {}
        self._skews: dict[str, Skew] = {}
        self._sources: list[Source] = []

    def source(self, source: Source) -> None:
        """Asks ``source`` too whenever the recording is asked for."""
        self._sources.append(source)

    def add(self, lane: Lane, kind: str, at: float | None = None, **more: Any) -> None:
        """One record of our own side; ``at``: ms on our clock, now if none is given."""
        self._lanes.setdefault(lane.id, lane)
        self._take({"t": at if at is not None else self.clock.now(), "lane": lane.id, "kind": kind, **more})

    def parcel(self, parcel: Parcel) -> None:
        """A batch from a tap."""
        self._take(parcel)

    def skew(self, context: str, skew: Skew) -> None:
        """How a context's clock stands."""
        self._skews[context] = skew

    def name(self, of: str, name: str) -> None:
        """What people call an extension."""
        self._names[of] = name

    def recording(self) -> Recording:
        """Everything so far."""
        with self._lock:
            taken, dropped = list(self._taken), self._dropped
        opener = Opener(dict(self._skews))
        records: list[Record] = []
        for one in taken:
            records.extend(opener.open(one) if isinstance(one, Parcel) else [_read(one)])
        kept = [source() for source in self._sources]
        records += [record for _, found in kept for record in found]
        clean = [self.redactor.value(record) for record in records]
        clean.sort(key=lambda record: float(record["t"]))
        lanes = {**self._lanes, **opener.lanes, **{lane.id: lane for lane, found in kept if found}}
        return Recording(
            clean, [self._named(lane) for lane in lanes.values()], dict(self._skews), opener.lost + dropped
        )

    def _take(self, one: Record | Parcel) -> None:
        with self._lock:
            if len(self._taken) < LIMIT:
                self._taken.append(one)
            else:
                self._dropped += 1

    def _named(self, lane: Lane) -> Lane:
        name = self._names.get(lane.of)
        return lane if name is None else replace(lane, title=f"{name}: {lane.title}")


def _read(record: Record) -> Record:
    """A message that was kept as text, as the value that it is."""
    if "text" not in record:
        return record
    read = {key: value for key, value in record.items() if key != "text"}
    return {**read, "data": bounded(json.loads(record["text"]()))}


def lines(recording: Recording) -> str:
    """``hops.jsonl``: one record a line, after a first line that tells of lanes, clocks and losses."""
    head = {
        "kind": "recording",
        "version": 1,
        "lanes": [lane.__dict__ for lane in recording.lanes],
        "skews": {key: skew.__dict__ for key, skew in recording.skews.items()},
        "lost": recording.lost,
    }
    return "".join(
        json.dumps(line, ensure_ascii=False, default=str) + "\n" for line in [head, *recording.records]
    )
