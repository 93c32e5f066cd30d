"""The tables of known faults: ``mutants.toml``, and ``bugs.toml`` with those of the reported bugs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent
ROOT: Final = FOLDER.parent.parent
TABLES: Final = ("mutants.toml", "bugs.toml")


class MutantError(ValueError):
    """A mutant that cannot be planted; the message says why."""


@dataclass(frozen=True)
class Mutant:
    """One fault: edits of one source file, and the scenarios one of which has to fail."""

    name: str
    about: str
    extension: str
    """``host`` or ``provider``: which one is built anew and put under test; ``relay``: the Python package."""
    file: str
    """Relative to ``extensions/``, for the relay to ``e2e/webmcp_e2e/``."""
    edits: tuple[tuple[str, str], ...]
    """Text that stands in the file exactly once, and what it becomes."""
    killed_by: tuple[str, ...]
    """Relative to ``e2e/scenarios/``."""
    report: str = ""
    """Of a reported bug: where it was reported."""

    @property
    def source(self) -> Path:
        """The file that the fault is planted in a copy of."""
        return ROOT / ("e2e/webmcp_e2e" if self.extension == "relay" else "extensions") / self.file


def load(words: str = "") -> list[Mutant]:
    """All mutants, or those whose name has one of the words in it."""
    tables = [tomllib.loads((FOLDER / name).read_text(encoding="utf-8")) for name in TABLES]
    wanted = words.split()
    return [
        _mutant(entry)
        for table in tables
        for entry in table["mutant"]
        if not wanted or any(word in entry["name"] for word in wanted)
    ]


def _mutant(entry: dict[str, object]) -> Mutant:
    edits, killers = entry.pop("edits"), entry.pop("killed_by")
    assert isinstance(edits, list)
    assert isinstance(killers, list)
    texts = {key: str(value) for key, value in entry.items()}
    return Mutant(**texts, edits=tuple((old, new) for old, new in edits), killed_by=tuple(killers))


def mutated(mutant: Mutant, source: str) -> str:
    """The file with the fault in it. Raises ``MutantError`` where the source has moved on."""
    for old, new in mutant.edits:
        if source.count(old) != 1:
            raise MutantError(
                f"{mutant.name}: {mutant.file} has {source.count(old)} times, not once: {old!r}. Mend mutants.toml."
            )
        source = source.replace(old, new)
    return source
