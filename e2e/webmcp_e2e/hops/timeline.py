"""``timeline.html``: one file that opens from disk, loads nothing, and runs nothing that a page has written."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any, Final

from .events import Story

_ESCAPES: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
"""In JSON these can only stand inside texts, so the escaped block is the same JSON, and no markup."""


def html(story: Story, *, title: str, facts: str, failure: str) -> str:
    """The file's text. ``facts``: one line under the title; ``failure``: what the test said."""
    style, script = _asset("timeline.css"), _asset("timeline.js")
    data = json.dumps(_content(story, title, facts, failure), ensure_ascii=False, separators=(",", ":"))
    parts = {
        "__STYLE_HASH__": _hash(style),
        "__SCRIPT_HASH__": _hash(script),
        "__STYLE__": style,
        "__SCRIPT__": script,
        "__DATA__": data.translate(_ESCAPES),
    }
    page = _asset("timeline.html")
    for mark, text in parts.items():  # The data come last: what stands in them is no mark.
        page = page.replace(mark, text)
    return page


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


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
