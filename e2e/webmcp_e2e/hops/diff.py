"""Two runs side by side: the calls of each, and the first hop at which they part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from .calls import Call, Step, find_calls
from .payloads import part_of
from .recorder import Recording

_WIDTH: Final = 200
_Place = tuple[str, str, str, bool]
"""Kind of lane, kind of record, phase, failed: what is the same in two runs that go alike."""


@dataclass(frozen=True)
class Parting:
    """Where two runs part: the call, the last hop that both passed, and what each does next."""

    call: str
    after: str
    left: str
    right: str

    def __str__(self) -> str:
        return f"they part in {self.call}, after {self.after}:\n  A: {self.left}\n  B: {self.right}"


@dataclass(frozen=True)
class Walk:
    """A call as the places that it passes, and when (ms since it began)."""

    name: str
    places: list[_Place]
    times: list[float]
    said: list[str]
    """What each response says; empty of a request."""


def walks(recording: Recording) -> list[Walk]:
    """Every call of a recording."""
    kinds = {lane.id: lane.kind for lane in recording.lanes}

    def place(step: Step) -> _Place:
        part = part_of(recording.records[step.index])
        return kinds.get(step.lane, "browser"), step.kind, step.phase, bool(part and part.failed)

    def said(step: Step) -> str:
        part = part_of(recording.records[step.index])
        return part.said if part else ""

    def walk(call: Call) -> Walk:
        times = [step.t - call.began for step in call.steps]
        name = f"call {call.number} of {call.tool}"
        return Walk(name, [place(step) for step in call.steps], times, [said(step) for step in call.steps])

    return [walk(call) for call in find_calls(recording.records)]


def first_parting(left: list[Walk], right: list[Walk]) -> Parting | None:
    """The first place where the runs are not alike, or none. Calls are compared in the order in which they began."""
    for one, other in zip_longest(left, right):
        if one is None or other is None:
            present = one or other
            only = "goes on", "has ended"
            return Parting(present.name, "the call before", *(only if other is None else only[::-1]))
        parting = _compare(one, other)
        if parting is not None:
            return parting
    return None


def _compare(one: Walk, other: Walk) -> Parting | None:
    if _tool(one) != _tool(other):
        return Parting(one.name, "the call before", one.name, other.name)
    before = "its beginning"
    for number, (left, right) in enumerate(zip_longest(one.places, other.places)):
        if left != right:
            return Parting(one.name, before, _words(left), _words(right))
        if one.said[number] != other.said[number]:
            told = (f"{_words(left)}: {_short(walk.said[number])}" for walk in (one, other))
            return Parting(one.name, before, *told)
        before = _words(left)
    return None


def _short(said: str) -> str:
    return said if len(said) <= _WIDTH else f"{said[:_WIDTH]}…"


def _tool(walk: Walk) -> str:
    return walk.name.partition(" of ")[2]


def _words(place: _Place | None) -> str:
    if place is None:
        return "nothing more is seen of it"
    lane, kind, phase, failed = place
    return f"{phase} at the {lane} ({kind}){', failed' if failed else ''}"


def side_by_side(left: list[Walk], right: list[Walk], width: int = 46) -> Iterator[str]:
    """Lines: each call's hops, A on the left, B on the right; a ``!`` where they differ."""
    for one, other in zip_longest(left, right):
        yield f"  {_name(one):<{width}}  {_name(other)}"
        for number in range(max(_length(one), _length(other))):
            first, second = _hop(one, number), _hop(other, number)
            differs = _seen_at(one, number) != _seen_at(other, number)
            yield f"{'!' if differs else ' '} {first:<{width}}  {second}"


def _name(walk: Walk | None) -> str:
    return walk.name if walk else "-"


def _length(walk: Walk | None) -> int:
    return len(walk.places) if walk else 0


def _place_at(walk: Walk | None, number: int) -> _Place | None:
    return walk.places[number] if number < _length(walk) and walk else None


def _seen_at(walk: Walk | None, number: int) -> tuple[_Place | None, str]:
    place = _place_at(walk, number)
    return place, walk.said[number] if walk and place else ""


def _hop(walk: Walk | None, number: int) -> str:
    place = _place_at(walk, number)
    if walk is None or place is None:
        return ""
    return f"  {walk.times[number]:7.1f} ms  {_words(place)}"
