"""``timeline.json``: the same story for Perfetto or chrome://tracing (Trace Event Format)."""

from __future__ import annotations

import json
from typing import Any

from .calls import Call
from .events import Event, Story

_Entry = dict[str, Any]


def trace_events(story: Story) -> str:
    """The file's text. Lanes are threads, calls slices on each lane with arrows between, events are instants."""
    threads = {lane.id: number for number, lane in enumerate(story.lanes, 1)}
    entries: list[_Entry] = [
        {"ph": "M", "pid": 1, "tid": threads[lane.id], "name": "thread_name", "args": {"name": lane.title}}
        for lane in story.lanes
    ]
    entries += [_instant(event, threads, story.began) for event in story.events]
    for call in story.calls:
        entries += _slices(call, threads, story.began)
    entries += _generations(story, threads)
    return json.dumps({"displayTimeUnit": "ms", "traceEvents": entries}, ensure_ascii=True)


def _micros(t: float, began: float) -> float:
    return round((t - began) * 1000, 1)


def _instant(event: Event, threads: dict[str, int], began: float) -> _Entry:
    name = f"! {event.kind}" if event.trouble else event.kind
    where = {"pid": 1, "tid": threads[event.lane], "ts": _micros(event.t, began)}
    return {"ph": "i", "s": "t", "name": name, **where, "args": {"text": event.text, "call": event.call}}


def _slices(call: Call, threads: dict[str, int], began: float) -> list[_Entry]:
    spans: dict[str, list[float]] = {}
    for step in call.steps:
        spans.setdefault(step.lane, []).append(step.t)
    made: list[_Entry] = []
    arrow = "s"
    for lane, times in spans.items():
        where = {"pid": 1, "tid": threads[lane], "ts": _micros(min(times), began)}
        length = max(1.0, (max(times) - min(times)) * 1000)
        made.append(
            {"ph": "X", "name": call.tool, "dur": round(length, 1), **where, "args": {"call": call.number}}
        )
        made.append({"ph": arrow, "name": "call", "cat": "call", "id": call.number, "bp": "e", **where})
        arrow = "t"
    return made


def _generations(story: Story, threads: dict[str, int]) -> list[_Entry]:
    began: dict[tuple[str, int], float] = {}
    made: list[_Entry] = []
    for event in story.events:
        if event.kind == "worker.start":
            began[event.lane, event.data["generation"]] = event.t
        elif event.kind == "worker.stop":
            since = began.get((event.lane, event.data["generation"]), event.t)
            where = {"pid": 1, "tid": threads[event.lane], "ts": _micros(since, story.began)}
            length = round((event.t - since) * 1000, 1)
            made.append({"ph": "X", "name": f"generation {event.data['generation']}", "dur": length, **where})
    return made
