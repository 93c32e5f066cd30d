"""``sequence.md``: the calls that matter as a Mermaid diagram, which pastes into an issue."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .calls import Call
from .events import Story

_CALLS: Final = 8
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9 _.,/=+-]")
_TEXT: Final = 60


def markdown(story: Story, title: str) -> str:
    """The file's text: failed and unanswered calls first, then the last ones. Nothing in it is markup of a page's."""
    chosen = _chosen(story.calls)
    lanes = {step.lane for call in chosen for step in call.steps}
    names = {lane.id: f"L{number}" for number, lane in enumerate(story.lanes, 1)}
    lines = [f"{safe_markdown(title)}", "", "```mermaid", "sequenceDiagram"]
    lines += [
        f"  participant {names[lane.id]} as {_safe(lane.title)}" for lane in story.lanes if lane.id in lanes
    ]
    for call in chosen:
        lines += _call_lines(call, names)
    lines += [
        "```",
        "",
        f"{len(chosen)} of {len(story.calls)} calls; the whole recording is in timeline.html.",
        "",
    ]
    return "\n".join(lines)


def _chosen(calls: list[Call]) -> list[Call]:
    bad = [call for call in calls if call.failed or not call.ended]
    rest = [call for call in calls if not (call.failed or not call.ended)]
    return sorted((bad[-_CALLS:] + rest[::-1])[:_CALLS], key=lambda call: call.number)


def _call_lines(call: Call, names: dict[str, str]) -> Iterable[str]:
    first = names[call.steps[0].lane]
    yield f"  Note over {first}: call {call.number} {_safe(call.tool)}"
    for before, after in zip(call.steps, call.steps[1:], strict=False):
        if before.lane != after.lane:
            arrow = "->>" if after.phase == "request" else "-->>"
            what = f"{_safe(after.kind)} +{after.t - call.began:.1f} ms"
            yield f"  {names[before.lane]}{arrow}{names[after.lane]}: {what}"
    last = names[call.steps[-1].lane]
    if not call.ended:
        yield f"  Note over {last}: no answer, {call.took:.0f} ms after it began"
    elif call.failed:
        yield f"  Note over {last}: failed"


def _safe(text: str) -> str:
    """Letters, digits and a few signs: what Mermaid reads as nothing but text."""
    return _UNSAFE.sub(" ", text)[:_TEXT].strip() or "-"


def safe_markdown(text: str) -> str:
    """Text in which nothing is markup, a link or a mention."""
    one_line = " ".join(text.split())
    escaped = re.sub(r"([\\`*_{}\[\]()#+.!|<>~&-])", r"\\\1", one_line)
    return escaped.replace("@", "@\u200b")
