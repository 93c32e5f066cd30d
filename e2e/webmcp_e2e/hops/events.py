"""A recording as its readers see it: one line of text for each record, its call, and whether it is trouble."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from .calls import Call, find_calls
from .payloads import part_of
from .recorder import Recording
from .records import Lane, Record

_TEXT: Final = 160
_TELLING: Final = {
    "error": ("message", "place"),
    "port.open": ("name", "way"),
    "port.close": ("name", "by"),
    "socket.close": ("code", "reason"),
    "socket.open": ("protocol",),
}
"""The members that tell what a record of this kind is about, where it has no payload."""
_NORMAL_CLOSES: Final = frozenset({1000, 1001, None})


@dataclass(frozen=True)
class Event:
    """``call``: its number, 0 for none · ``trouble``: an error, or what ends something early."""

    t: float
    lane: str
    kind: str
    text: str
    call: int
    trouble: bool
    data: Any


@dataclass(frozen=True)
class Story:
    """All of a recording, told."""

    lanes: list[Lane]
    events: list[Event]
    calls: list[Call]
    lost: int

    @property
    def began(self) -> float:
        """When the first event was (ms since 1970)."""
        return self.events[0].t if self.events else 0.0


def tell(recording: Recording) -> Story:
    """The story of a recording."""
    calls = find_calls(recording.records)
    of_call = {step.index: call.number for call in calls for step in call.steps}
    events = [_event(record, of_call.get(index, 0)) for index, record in enumerate(recording.records)]
    used = {event.lane for event in events}
    lanes = sorted((lane for lane in recording.lanes if lane.id in used), key=_place)
    return Story(lanes, events, calls, recording.lost)


_ORDER: Final = ("client", "relay", "worker", "panel", "script", "page", "browser")


def _place(lane: Lane) -> tuple[int, str]:
    """From the MCP client down to the page, as calls go."""
    return _ORDER.index(lane.kind), lane.title


def _event(record: Record, call: int) -> Event:
    return Event(
        t=float(record["t"]),
        lane=str(record["lane"]),
        kind=str(record["kind"]),
        text=_line(record),
        call=call,
        trouble=_is_trouble(record),
        data={key: value for key, value in record.items() if key not in ("t", "lane", "kind")},
    )


def _is_trouble(record: Record) -> bool:
    kind = record["kind"]
    if kind == "error" or "failed" in record:
        return True
    if kind == "console":
        return record.get("level") == "error"
    if kind == "socket.close":
        return record.get("code") not in _NORMAL_CLOSES
    part = part_of(record)
    return part is not None and part.failed


def _line(record: Record) -> str:
    for describe in (_call_line, _life_line):
        text = describe(record)
        if text:
            return _cut(text)
    return _cut(_short(record.get("data")))


def _call_line(record: Record) -> str:
    part = part_of(record)
    if part is None:
        return ""
    if part.phase == "request":
        return f"{part.name} {part.args}"
    return f"{'failed' if part.failed else 'answer'} {_short(_payload(record))}"


def _life_line(record: Record) -> str:
    kind = record["kind"]
    if kind.startswith("worker."):
        return f"generation {record['generation']}"
    told = _TELLING.get(kind, ("failed", "url"))
    return " ".join(str(record[key]) for key in told if record.get(key) not in (None, ""))


def _payload(record: Record) -> Any:
    data = record["data"]
    data = data.get("payload", data)
    return data.get("result", data.get("error", data)) if isinstance(data, dict) else data


def _short(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, dict):
        told = next((str(value[key]) for key in ("method", "type") if isinstance(value.get(key), str)), "")
        if told:
            return told
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT else f"{line[:_TEXT]}…"
