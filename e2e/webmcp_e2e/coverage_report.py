"""Requirement coverage of a run: the check at collection, ``coverage.json``, the table at the end.

Active only where the ini options ``webmcp_requirements`` and ``webmcp_scenarios`` are set and the run collected
something from that folder. Under pytest-xdist the controller gathers the outcomes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from webmcp_e2e.requirements import Coverage, RequirementError, Table, check, find_scenarios


def register(config: pytest.Config) -> None:
    """Register the reporter where a requirement table is configured."""
    table, root = config.getini("webmcp_requirements"), config.getini("webmcp_scenarios")
    if table and root:
        reporter = CoverageReporter(config, config.rootpath / table, config.rootpath / root)
        config.pluginmanager.register(reporter, "webmcp-coverage")


class CoverageReporter:
    """Collects outcomes of scenarios and writes what they prove."""

    def __init__(self, config: pytest.Config, table: Path, root: Path) -> None:
        self._config = config
        self._table_path = table
        self._root = root
        self._prefix = f"{root.relative_to(config.rootpath).as_posix()}/"
        self._coverage: Coverage | None = None
        self._failed_setup: set[str] = set()

    def _load(self) -> Coverage:
        if self._coverage is None:
            self._coverage = Coverage(Table.load(self._table_path), find_scenarios(self._root))
        return self._coverage

    def _is_scenario(self, nodeid: str) -> bool:
        return nodeid.startswith(self._prefix)

    def _is_asked_for(self, argument: str) -> bool:
        """Whether a command-line argument names scenarios: the folder, something in it, or something around it."""
        path = Path(argument.partition("::")[0]).resolve()
        root = self._root.resolve()
        return path.is_relative_to(root) or root.is_relative_to(path)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Check table against scenarios before anything is collected, once a run."""
        if hasattr(self._config, "workerinput") or not any(map(self._is_asked_for, session.config.args)):
            return
        try:
            coverage = self._load()
            check(coverage.table, coverage.scenarios)
        except RequirementError as error:
            raise pytest.UsageError(str(error)) from error

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note one phase of one item; a failed set-up or teardown is a failed scenario."""
        if not self._is_scenario(report.nodeid) or str(report.outcome) == "rerun":  # it runs again
            return
        if report.when == "call" or not report.passed:
            self._load().record(report.nodeid.removeprefix(self._prefix), report.passed)

    def pytest_sessionfinish(self) -> None:
        """Write ``coverage.json`` beside the other results."""
        if self._coverage is None or hasattr(self._config, "workerinput"):
            return
        folder = self._config.rootpath / "test-results"
        folder.mkdir(exist_ok=True)
        text = json.dumps({"requirements": self._coverage.by_id()}, indent=1)
        (folder / "coverage.json").write_text(text + "\n", encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the coverage table."""
        if self._coverage is None:
            return
        terminalreporter.section("requirement coverage")
        for line in self._coverage.lines():
            terminalreporter.write_line(line)
