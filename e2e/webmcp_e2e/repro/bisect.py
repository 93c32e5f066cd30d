"""Between which two of several browsers a reproduction begins to fail, or to pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from webmcp_e2e.browser import ChromiumBinary, ChromiumNotFound, find_chromium

from .rate import Rate
from .report import ReportError
from .runs import Runs

_PLACES: Final = (
    "chromium",
    "chrome",
    "usr/lib/chromium/chromium",
    "chrome-linux/chrome",
    "chrome-linux64/chrome",
)
"""Where a Chromium's folder has its program: Debian's package unpacked, snapshots, Chrome for Testing."""


@dataclass(frozen=True)
class Bisection:
    """What was run, by version in the order of age; ``last`` and ``first``: the neighbours that differ."""

    rates: dict[str, Rate] = field(default_factory=dict)
    last: str = ""
    first: str = ""

    def lines(self) -> Iterator[str]:
        """For a terminal."""
        for version, rate in self.rates.items():
            yield f"Chromium {version:<18} {rate}"
        if not self.first:
            yield "All ends are alike: no change between these browsers was found."
        elif self.rates[self.first].failures:
            yield f"It began to fail between {self.last} (fine) and {self.first} (fails)."
        else:
            yield f"It was mended between {self.last} (fails) and {self.first} (fine)."


def browsers(folders: Sequence[Path]) -> list[ChromiumBinary]:
    """The Chromium of each folder (or the program itself), oldest first. Raises ``ReportError``."""
    found = {binary.version: binary for binary in map(_browser, folders)}
    if len(found) < 2:
        raise ReportError("--bisect-chromium needs at least two browsers of different versions.")
    return sorted(found.values(), key=lambda one: [int(part) for part in one.version.split(".")])


def _browser(folder: Path) -> ChromiumBinary:
    places = [folder / place for place in _PLACES] if folder.is_dir() else [folder]
    program = next((place for place in places if place.is_file() and os.access(place, os.X_OK)), None)
    if program is None:
        raise ReportError(f"{folder} has no Chromium. Give a browser's folder, or the program in it.")
    try:
        return find_chromium(program)
    except ChromiumNotFound as error:
        raise ReportError(str(error)) from None


def bisect(binaries: Sequence[ChromiumBinary], run: Callable[[Path], Runs]) -> Bisection:
    """Run the oldest and the newest; where one fails and the other does not, halve what lies between.

    ``run`` reproduces with the browser at that path. A browser with at least one failed run counts as failing, so
    a bug that comes by chance wants many runs. Raises ``ReportError`` where a run did not come to its end.
    """
    rates: dict[int, Rate] = {}

    def fails(place: int) -> bool:
        if place not in rates:
            runs = _apart(run, binaries[place].path)
            if runs.broken:
                raise ReportError(f"Chromium {binaries[place].version} could not run it; see above.")
            rates[place] = runs.rate
        return rates[place].failures > 0

    low, high = 0, len(binaries) - 1
    differ = fails(low) != fails(high)
    while differ and high - low > 1:
        middle = (low + high) // 2
        if fails(middle) == fails(low):
            low = middle
        else:
            high = middle
    told = {binaries[place].version: rates[place] for place in sorted(rates)}
    return Bisection(told, binaries[low].version, binaries[high].version) if differ else Bisection(told)


def _apart(run: Callable[[Path], Runs], path: Path) -> Runs:
    """In a process of its own: pytest is made to run once in one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(run, path).result()
