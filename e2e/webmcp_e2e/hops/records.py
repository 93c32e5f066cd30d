"""What a recording is made of: records, lanes, and how clocks stand."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal

Record = dict[str, Any]
"""One line of ``hops.jsonl``: ``t`` (ms since 1970), ``lane`` (an id), ``kind``, and what belongs to the kind."""

LaneKind = Literal["client", "relay", "worker", "panel", "script", "page", "browser"]
"""``script``: an extension's content script in one tab · ``panel``: any document of an extension · ``browser``: what
the CDP connection tells."""


@dataclass(frozen=True)
class Lane:
    """One place in which things happen. ``of``: the extension it belongs to, or empty."""

    id: str
    kind: LaneKind
    title: str
    of: str = ""


@dataclass(frozen=True)
class Skew:
    """How far a context's clock is ahead of ours, in ms, known to within ``error`` ms."""

    offset: float
    error: float

    def on_our_clock(self, t: float) -> float:
        """A difference smaller than the error of its measurement is none."""
        return t if abs(self.offset) <= self.error else t - self.offset


@dataclass(frozen=True)
class Parcel:
    """A batch as a tap sent it: JSON text, and where it came from (a target's id, an extension's, a generation)."""

    text: str
    target: str
    extension: str = ""
    generation: int = 0


@dataclass
class Clock:
    """Ours: the wall clock once, and the monotonic clock from there on."""

    _wall: float = field(default_factory=time.time)
    _steady: float = field(default_factory=time.monotonic)

    def now(self) -> float:
        """Milliseconds since 1970, never going back."""
        return (self._wall + time.monotonic() - self._steady) * 1000
