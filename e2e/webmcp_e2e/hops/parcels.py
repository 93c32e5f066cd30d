"""Opens what taps have sent: whose lane each batch belongs to, on our clock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .records import Lane, LaneKind, Parcel, Record, Skew


@dataclass
class _Context:
    lane: Lane
    generation: int
    received: int = 0
    last: int = -1


class Opener:
    """Opens parcels in the order in which they came; remembers the contexts that it has met."""

    def __init__(self, skews: dict[str, Skew]) -> None:
        self.lanes: dict[str, Lane] = {}
        self._skews = skews
        self._contexts: dict[str, _Context] = {}

    def open(self, parcel: Parcel) -> Iterator[Record]:
        """The parcel's records. One that is no JSON of ours, or of a context whose first one is missing, has none."""
        try:
            content: dict[str, Any] = json.loads(parcel.text)
            key, records = str(content["context"]), content["records"]
            context = self._contexts.get(key) or self._meet(key, content["world"], records[0], parcel)
            for record in records:
                yield self._placed(key, context, record)
        except (ValueError, TypeError, LookupError):
            return

    @property
    def lost(self) -> int:
        """Records that a tap made and that did not arrive."""
        return sum(one.last + 1 - one.received for one in self._contexts.values())

    def _meet(self, key: str, world: str, hello: Record, parcel: Parcel) -> _Context:
        lane = _lane(world, hello, parcel)
        known = self.lanes.get(lane.id)
        if known is None or known.kind == "page":
            self.lanes[lane.id] = lane  # The document before a panel's own is an empty page.
        return self._contexts.setdefault(key, _Context(lane, parcel.generation))

    def _placed(self, key: str, context: _Context, record: Record) -> Record:
        number, t = int(record.pop("n")), float(record["t"])
        context.received += 1
        context.last = max(context.last, number)
        skew = self._skews.get(key)
        placed = {**record, "t": skew.on_our_clock(t) if skew else t, "lane": context.lane.id, "context": key}
        return {**placed, "generation": context.generation} if context.generation else placed


def _lane(world: str, hello: Record, parcel: Parcel) -> Lane:
    extension = str(hello.get("extension") or parcel.extension)
    if world == "worker":
        return Lane(f"worker:{extension}", "worker", "worker", extension)
    if world == "isolated":
        return Lane(
            f"script:{extension}:{parcel.target}",
            "script",
            f"content script {_short(parcel.target)}",
            extension,
        )
    url = str(hello.get("url", ""))
    kind: LaneKind = "panel" if extension else "page"
    return Lane(
        f"page:{parcel.target}",
        kind,
        _title(url) if extension else f"page {_short(parcel.target)}",
        extension,
    )


def _short(target: str) -> str:
    return target[:4].lower()


def _title(url: str) -> str:
    return urlsplit(url).path.rsplit("/", 1)[-1] or "page"
