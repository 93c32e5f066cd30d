"""What a reproduction needs of pytest: one bug's scenarios, each so many times, and the verdicts."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from webmcp_e2e.hops_fixtures import RERUN


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of this plugin alone, which the command line ``repro`` gives."""
    group = parser.getgroup("repro")
    group.addoption("--repro-bug", default="", help="run the scenarios marked with this bug only")
    group.addoption("--repro-again", default="", help="the command that a bundle names to run it again")
    group.addoption("--repro-repeat", type=int, default=1, help="run each so many times")


def pytest_configure(config: pytest.Config) -> None:
    """A bundle of a reproduction is made again by ``repro``, whose steps pytest alone does not know."""
    config.stash[RERUN] = config.getoption("--repro-again")


@pytest.fixture
def repro_run(request: pytest.FixtureRequest) -> int:
    """The number of this run, from 1."""
    return int(request.param)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test so many times."""
    times = metafunc.config.getoption("--repro-repeat")
    if times > 1:
        metafunc.fixturenames.append("repro_run")
        metafunc.parametrize(
            "repro_run", range(1, times + 1), indirect=True, ids=lambda number: f"run{number}"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Only the scenarios of the bug that is asked for."""
    bug = config.getoption("--repro-bug")
    if bug:
        items[:] = [item for item in items if bug in bugs_of(item)]


def bugs_of(item: pytest.Item) -> Iterable[str]:
    """The bugs that a scenario is marked with."""
    return [bug for mark in item.iter_markers("bug") for bug in mark.args]


class Verdicts:
    """Collects how each run ended; give it to pytest as a plugin."""

    def __init__(self) -> None:
        self.passed: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        """Where the bundle is, by run; empty where none was kept."""
        self.skipped: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One phase of one run."""
        bundle = next((text for title, text in report.sections if title == "Bundle"), "").partition("\n")[0]
        if report.failed:
            self.failed.setdefault(report.nodeid, bundle)
        elif report.skipped:
            self.skipped.add(report.nodeid)
        elif report.when == "call":
            self.passed[report.nodeid] = bundle
