"""Runs a reproduction so many times and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from webmcp_e2e import resources

from .plugin import Verdicts
from .rate import Rate
from .report import Report

UNTIL_FAIL_RUNS: Final = 1_000
_STEPS: Final = Path(__file__).parent / "run_steps.py"


@dataclass(frozen=True)
class How:
    """``repeat`` runs (all of them, or until one fails), ``jobs`` at once, artifacts into ``out``."""

    repeat: int = 1
    until_fail: bool = False
    jobs: int = 1
    out: Path = Path("test-results/repro")
    pytest_args: Sequence[str] = ()

    def arguments(self) -> list[str]:
        """As pytest reads it."""
        times = UNTIL_FAIL_RUNS if self.until_fail and self.repeat == 1 else self.repeat
        hops = "on" if times == 1 else "retain-on-failure"
        parts = ["-q", "-p", "webmcp_e2e.repro.plugin", "--repro-repeat", str(times), "--webmcp-hops", hops]
        parts += ["--output", str(self.out), "-o", "webmcp_requirements=", "-m", "soak or not soak"]
        parts += ["-x"] if self.until_fail else []
        parts += ["-n", str(self.jobs)] if self.jobs > 1 else []
        return [*parts, *self.pytest_args]


@dataclass(frozen=True)
class Runs:
    """How a reproduction went. ``bundles``: of the failed runs. ``broken``: pytest itself could not run it."""

    rate: Rate
    bundles: list[str] = field(default_factory=list)
    broken: bool = False


def run_bug(bug: str, how: How) -> Runs:
    """The scenarios of a reported bug."""
    return _run([*resources.scenario_arguments(), "--repro-bug", bug, *how.arguments()])


def run_report(report: Report, how: How) -> Runs:
    """A report that somebody sent."""
    more: list[str] = [f"--rootdir={_STEPS.parent}", "--webmcp-runtime", report.runtime]
    if report.extension is not None:
        more += ["--webmcp-host", str(report.extension)]
    return _run([str(report.python or _STEPS), *more, *how.arguments()], _Given(report))


class _Given:
    """Hands the report to ``run_steps``."""

    def __init__(self, report: Report) -> None:
        self._report = report

    @pytest.fixture(scope="session")
    def webmcp_report(self) -> Report:
        """The report that is run."""
        return self._report


def _run(arguments: list[str], *plugins: Any) -> Runs:
    verdicts = Verdicts()
    code = pytest.main(arguments, plugins=[verdicts, *plugins])
    failures = len(verdicts.failed)
    rate = Rate(failures, failures + len(verdicts.passed - set(verdicts.failed)))
    bundles = [bundle for bundle in verdicts.failed.values() if bundle]
    return Runs(rate, bundles, broken=int(code) not in (0, 1) or rate.runs == 0)
