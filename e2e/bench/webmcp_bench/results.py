"""A measure's result, and how it is written down: one JSON object a line, and a table for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Result:
    """One measure.

    ``peer`` says who was measured beside us. ``floor_value`` is the same hop with nothing behind it: for
    relay calls the Python SDK's own server, which a faster way of writing MCP may even beat.
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None
    floor_value: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Our value over the peer's; None without a peer."""
        return None if self.peer_value is None else self.value / self.peer_value

    def as_json(self) -> dict[str, Any]:
        """The object of ``bench.jsonl``."""
        return {
            "name": self.name,
            "value": _rounded(self.value),
            "unit": self.unit,
            "peer": self.peer,
            "peer_value": _rounded(self.peer_value),
            "ratio": _rounded(self.ratio),
            "floor_value": _rounded(self.floor_value),
        }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def write_jsonl(results: Iterable[Result], file: Path) -> None:
    """Writes one object a line, replacing the file of an earlier run."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(result.as_json(), ensure_ascii=False) + "\n" for result in results)
    file.write_text(text, encoding="utf-8")


def _cell(number: float | None) -> str:
    return "–" if number is None else f"{number:.3g}" if number < 100 else f"{number:.0f}"


def table(results: Sequence[Result], verdicts: dict[str, str]) -> str:
    """The results as an aligned text table; ``verdicts`` has a word on the target by measure."""
    head = ("measure", "ours", "unit", "peer", "ratio", "floor", "target", "peer is")
    rows = [
        (
            result.name,
            _cell(result.value),
            result.unit,
            _cell(result.peer_value),
            _cell(result.ratio),
            _cell(result.floor_value),
            verdicts.get(result.name, "–"),
            " · ".join(filter(None, (result.peer, result.note))),
        )
        for result in results
    ]
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *rows)
    )
