"""Runs a reproduction so many times and counts."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from webmcp_e2e import resources
from webmcp_e2e.html_report import HtmlReport, Line, State
from webmcp_e2e.interruptible import run_pytest

from .plugin import Verdicts
from .rate import Rate
from .report import Report, ReportError

UNTIL_FAIL_RUNS: Final = 1_000
_STATES: Final[dict[State, str]] = {"bad": "failed", "good": "passed"}
_QUIET: Final = [
    *("--tb=short", "--show-capture=stdout"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
    *("-W", "ignore:Session-scoped fixtures defined as instance methods:pytest.PytestRemovedIn10Warning"),
]
"""The logs are in the bundle, and what pytest says of being called by a program is nobody's business."""
_STEPS: Final = Path(__file__).parent / "run_steps.py"


@dataclass(frozen=True)
class How:
    """``repeat`` runs (all of them, or until one fails), ``jobs`` at once, artifacts into ``out``.

    ``keep_passed``: runs that passed leave a bundle too, to be compared with one that failed.
    """

    repeat: int = 1
    until_fail: bool = False
    jobs: int = 1
    keep_passed: bool = False
    out: Path = Path("test-results/repro")
    pytest_args: Sequence[str] = ()

    def arguments(self) -> list[str]:
        """As pytest reads it."""
        times = UNTIL_FAIL_RUNS if self.until_fail and self.repeat == 1 else self.repeat
        hops = "on" if times == 1 or self.keep_passed else "retain-on-failure"
        parts = ["-q", "-p", "webmcp_e2e.repro.plugin", "--repro-repeat", str(times), "--webmcp-hops", hops]
        parts += ["--output", str(self.out), "-o", "webmcp_requirements=", "-m", "soak or not soak"]
        parts += _QUIET
        parts += ["-x"] if self.until_fail else []
        parts += ["-n", str(self.jobs)] if self.jobs > 1 else []
        return [*parts, *self.pytest_args]


@dataclass(frozen=True)
class Runs:
    """How a reproduction went.

    ``failed``, ``passed``: name of a run and its bundle, if it has one. ``broken``: pytest could not run it.
    """

    rate: Rate
    failed: dict[str, str] = field(default_factory=dict)
    passed: dict[str, str] = field(default_factory=dict)
    broken: bool = False

    @property
    def bundles(self) -> list[str]:
        """The bundles of the failed runs."""
        return [bundle for bundle in self.failed.values() if bundle]

    @property
    def to_compare(self) -> tuple[str, str] | None:
        """The bundles of one that passed and of one that failed."""
        good = next(filter(None, self.passed.values()), None)
        return (good, self.bundles[0]) if good and self.bundles else None

    def as_html(self, subject: str, file: Path) -> HtmlReport:
        """The runs, failed ones first; the timelines are linked from where ``file`` will be."""
        lines = [
            Line(state, "run", name, link=_timeline(bundle, file))
            for state, runs in _STATES.items()
            for name, bundle in getattr(self, runs).items()
        ]
        return HtmlReport("A reproduction", subject, f"{self.rate}.", bool(self.failed), lines)


def run_bug(bug: str, how: How) -> Runs:
    """The scenarios of a reported bug. Raises ``ReportError`` where there is none of that number."""
    known = sorted(set(re.findall(r"\bB\d\d\b", " ".join(_bug_scenarios()))))
    if bug not in known:
        raise ReportError(f"there is no {bug}. There are {known[0]} to {known[-1]}.")
    return _run([*resources.scenario_arguments(), "--repro-bug", bug, *_again(bug), *how.arguments()])


def run_report(report: Report, how: How) -> Runs:
    """A report that somebody sent."""
    more: list[str] = [f"--rootdir={_STEPS.parent}", "--webmcp-runtime", report.runtime]
    more += _again(str(report.folder), *(["--trust"] if [*report.untrusted()] else []))
    if report.extension is not None:
        more += ["--webmcp-host", str(report.extension)]
    return _run([str(report.python or _STEPS), *more, *how.arguments()], _Given(report))


def _bug_scenarios() -> Iterator[str]:
    """The marks of bugs, as they stand in the scenarios."""
    for path in (resources.scenarios_dir() / "bugs").glob("test_*.py"):
        yield from re.findall(r"mark\.bug\(([^)]*)\)", path.read_text(encoding="utf-8"))


def _again(*arguments: str) -> list[str]:
    return ["--repro-again", shlex.join(["webmcp-e2e", "repro", *arguments])]


class _Given:
    """Hands the report to ``run_steps``."""

    def __init__(self, report: Report) -> None:
        self._report = report

    @pytest.fixture(scope="session")
    def webmcp_report(self) -> Report:
        """The report that is run."""
        return self._report


def _timeline(bundle: str, file: Path) -> str:
    page = Path(bundle) / "timeline.html"
    return Path(os.path.relpath(page, file.parent)).as_posix() if bundle and page.is_file() else ""


def _run(arguments: list[str], *plugins: Any) -> Runs:
    verdicts = Verdicts()
    code = run_pytest(arguments, [verdicts, *plugins])
    passed = {name: bundle for name, bundle in verdicts.passed.items() if name not in verdicts.failed}
    rate = Rate(len(verdicts.failed), len(verdicts.failed) + len(passed))
    return Runs(rate, dict(verdicts.failed), passed, broken=code not in (0, 1) or rate.runs == 0)
