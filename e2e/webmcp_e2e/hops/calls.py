"""One call's way over all hops: which records belong together.

A hop's request and response share an id. From one hop to the next only the tool and its arguments go along, so a
request continues an open call with the same arguments, whose tool's name is the same or is contained in it (public
names have a prefix or a suffix), and which has not passed this place in this direction yet. Of several such calls it
is the oldest that moved within the last two seconds (hops keep the order), else the youngest: the others are stuck.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from .payloads import Part, part_of
from .records import Record

_STUCK_MS: Final = 2_000


@dataclass
class Step:
    """One passage of a call: its request or response at one place."""

    t: float
    lane: str
    kind: str
    phase: str
    index: int
    """The record's place in the recording."""


@dataclass
class Call:
    """A call and the steps of it that were seen, in the order of time."""

    number: int
    tool: str
    args: str
    steps: list[Step] = field(default_factory=list)
    failed: bool = False
    ended: bool = False

    @property
    def began(self) -> float:
        """When its first step was seen (ms)."""
        return self.steps[0].t

    @property
    def took(self) -> float:
        """Milliseconds from the first step to the last."""
        return self.steps[-1].t - self.steps[0].t

    def summary(self) -> dict[str, Any]:
        """For a report."""
        last = self.steps[-1]
        return {
            "call": self.number,
            "tool": self.tool,
            "ms": round(self.took, 1),
            "ended": self.ended,
            "failed": self.failed,
            "last": f"{last.kind} {last.phase} at {last.lane}",
            "steps": [step.index for step in self.steps],
        }


def find_calls(records: list[Record]) -> list[Call]:
    """All calls of a recording, in the order in which they began."""
    finder = _Finder()
    for index, record in enumerate(records):
        part = part_of(record)
        if part is not None:
            finder.take(index, record, part)
    return finder.calls


class _Finder:
    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._unfinished: list[Call] = []
        self._open: dict[tuple[str, str], Call] = {}
        """By channel and id: whose request a response answers."""
        self._passed: dict[int, set[tuple[str, str]]] = {}

    def take(self, index: int, record: Record, part: Part) -> None:
        step = Step(float(record["t"]), record["lane"], record["kind"], part.phase, index)
        call = self._request(record, part) if part.phase == "request" else self._response(record, part)
        if call is not None:
            call.steps.append(step)

    def _request(self, record: Record, part: Part) -> Call:
        place = (record["lane"], record["kind"])
        call = self._continued(part, place, float(record["t"]))
        if call is None:
            call = Call(len(self.calls) + 1, part.name, part.args)
            self.calls.append(call)
            self._unfinished.append(call)
            self._passed[call.number] = set()
        if len(part.name) < len(call.tool):
            call.tool = part.name  # The page's own name is the shortest.
        self._passed[call.number].add(place)
        self._open[_channel(record), part.key] = call
        return call

    def _continued(self, part: Part, place: tuple[str, str], t: float) -> Call | None:
        fitting = [call for call in self._open_calls() if self._continues(call, part, place)]
        moving = [call for call in fitting if t - call.steps[-1].t < _STUCK_MS]
        return moving[0] if moving else fitting[-1] if fitting else None

    def _open_calls(self) -> list[Call]:
        self._unfinished = [call for call in self._unfinished if not call.ended]
        return self._unfinished

    def _continues(self, call: Call, part: Part, place: tuple[str, str]) -> bool:
        return (
            call.args == part.args
            and (part.name in call.tool or call.tool in part.name)
            and place not in self._passed[call.number]
        )

    def _response(self, record: Record, part: Part) -> Call | None:
        call = self._open.pop((_channel(record), part.key), None)
        if call is not None:
            call.failed = call.failed or part.failed
            # The end of the way is where it began; a later step can only be a straggler's.
            call.ended = record["lane"] == call.steps[0].lane
        return call


def _channel(record: Record) -> str:
    """What a request and its response have in common beside the id: the place, and its port or socket."""
    way = record["kind"].partition(".")[0]
    return (
        f"{record['lane']} {way} {record.get('context', '')} {record.get('port', record.get('socket', ''))}"
    )


def open_calls(calls: Iterable[Call]) -> list[Call]:
    """Calls whose answer never came back to where they began."""
    return [call for call in calls if not call.ended]
