"""``timeline.html``: one file that opens from disk, loads nothing, and runs nothing that a page has written."""

from __future__ import annotations

from typing import Any

from .events import Story
from .sealed import sealed_page


def html(story: Story, *, title: str, facts: str, failure: str) -> str:
    """The file's text. ``facts``: one line under the title; ``failure``: what the test said."""
    return sealed_page(__package__, "timeline", _content(story, title, facts, failure))


def _content(story: Story, title: str, facts: str, failure: str) -> dict[str, Any]:
    places = {lane.id: number for number, lane in enumerate(story.lanes)}
    began = story.began
    return {
        "title": title,
        "facts": facts,
        "failure": _essence(failure),
        "lanes": [{"title": lane.title, "kind": lane.kind} for lane in story.lanes],
        "events": [
            [round(one.t - began, 2), places[one.lane], one.kind, one.text, one.call, int(one.trouble)]
            for one in story.events
        ],
        "data": [one.data for one in story.events],
        "calls": [call.summary() for call in story.calls],
        "bands": _bands(story, places),
    }


def _bands(story: Story, places: dict[str, int]) -> list[list[float]]:
    """``[lane, from, to, generation]`` of each worker's life."""
    living: dict[tuple[int, int], float] = {}
    bands: list[list[float]] = []
    for event in story.events:
        if event.kind not in ("worker.start", "worker.stop"):
            continue
        key, t = (places[event.lane], int(event.data["generation"])), event.t - story.began
        if event.kind == "worker.start":
            living[key] = t
        else:
            bands.append([key[0], living.pop(key, t), t, key[1]])
    last = story.events[-1].t - story.began if story.events else 0.0
    return bands + [[lane, since, last, generation] for (lane, generation), since in living.items()]


def _essence(failure: str) -> str:
    """The lines in which pytest says what was wrong; all of it where it says it otherwise."""
    telling = [line[1:].rstrip() for line in failure.splitlines() if line.startswith("E ")]
    return "\n".join(telling) or failure
