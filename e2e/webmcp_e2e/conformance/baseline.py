"""A baseline: the rows that are known to fail, one name a line, ``#`` begins a comment."""

from __future__ import annotations

from pathlib import Path


class BaselineError(ValueError):
    """The baseline cannot be read; the message says why."""


def read_baseline(file: Path) -> frozenset[str]:
    """The names in a baseline. Raises ``BaselineError``."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BaselineError(
            f"the baseline {file} cannot be read ({error}). Give a text file, or none."
        ) from None
    return frozenset(filter(None, (line.partition("#")[0].strip() for line in lines)))
