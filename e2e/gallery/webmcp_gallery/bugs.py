"""The reported bugs, each with the fault that stands for it and the bundle that it left."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
TABLE: Final = ROOT / "e2e" / "mutants" / "bugs.toml"


@dataclass(frozen=True)
class Bug:
    """``report``: where it was reported · ``fault``: what was planted · ``scenario``: what saw it."""

    number: str
    report: str
    fault: str
    scenario: str
    bundle: Path

    @property
    def said(self) -> str:
        """What the scenario said, in one line."""
        failure = str(json.loads((self.bundle / "summary.json").read_text(encoding="utf-8"))["failure"])
        telling = [line[1:].strip() for line in failure.splitlines() if line.startswith("E ")]
        said = (telling or [failure.strip().splitlines()[-1]])[0]
        said = re.sub(r" \(relay log: [^)]*\)", "", said)
        # Folders of the machine that made it are nobody's business.
        return re.sub(rf"{re.escape(str(ROOT))}/|/tmp/(?=\S)", "", said)[:200]


def bugs(bundles: Path) -> Iterator[Bug]:
    """All, in order of their numbers. Raises ``FileNotFoundError`` where a bundle is missing."""
    entries = tomllib.loads(TABLE.read_text(encoding="utf-8"))["mutant"]
    for entry in sorted(entries, key=lambda one: one["name"]):
        bundle = bundles / entry["name"]
        if not (bundle / "timeline.html").is_file():
            raise FileNotFoundError(
                f"{bundle} has no timeline. Run `make gallery`, which makes all bundles first."
            )
        number = re.search(r"B\d\d", entry["name"])
        assert number, entry["name"]
        yield Bug(number[0], entry["report"], entry["about"], entry["killed_by"][0], bundle)
