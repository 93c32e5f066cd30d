"""The pytest plugin of a conformance run: keeps the scenarios of one role, and makes rows of their reports."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

import pytest

from webmcp_e2e.browser import BrowserClosed, BrowserCrashed, ChromiumNotFound, GateLost, LaunchFailed
from webmcp_e2e.conformance.rows import Outcome, Role, Row

HARNESS_FAULTS: Final = (ChromiumNotFound, LaunchFailed, BrowserCrashed, BrowserClosed, GateLost)
"""Of these the subject is innocent, or nobody can tell."""


class Collector:
    """``rows`` fill while pytest runs, in the order of collection."""

    def __init__(self, role: Role, patterns: Sequence[str] = ()) -> None:
        self._role = role
        self._patterns = patterns
        self._names: set[str] = set()
        self._rows: dict[str, Row] = {}
        self.collection_errors: list[str] = []

    @property
    def rows(self) -> tuple[Row, ...]:
        """One row a scenario."""
        return tuple(self._rows.values())

    @property
    def left_out(self) -> frozenset[str]:
        """Names of the role's rows that no pattern asked for."""
        return frozenset(self._names - set(self._rows))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A scenario file that cannot be read is the harness's fault."""
        if report.failed:
            self.collection_errors.append(f"{report.nodeid}: {report.longreprtext.splitlines()[-1]}")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what is not demanded of this role, or not asked for."""
        demanded = [item for item in items if self._mark(item)]
        self._names.update(row_name(item.nodeid) for item in demanded)
        chosen = [item for item in demanded if self._asked_for(row_name(item.nodeid))]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen
        for item in chosen:
            self._row(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fold one phase of one item into its row."""
        report = yield
        if not report.passed:
            error = call.excinfo.value if call.excinfo else None
            self._row(item).add(_outcome(report, error), _detail(item, report, error))
        elif report.when == "call":
            self._row(item).add(Outcome.PASSED)
        return report

    def _asked_for(self, name: str) -> bool:
        return not self._patterns or any(fnmatchcase(name, f"*{pattern}*") for pattern in self._patterns)

    def _mark(self, item: pytest.Item) -> pytest.Mark | None:
        """The closest mark counts: a function's own stands before its module's."""
        marks = (mark for mark in item.iter_markers("conformance") if mark.args[0] == self._role)
        return next(marks, None)

    def _row(self, item: pytest.Item) -> Row:
        name = row_name(item.nodeid)
        if name not in self._rows:
            mark = self._mark(item)
            assert mark
            ids = [key for found in item.iter_markers("requirement") for key in found.args]
            self._rows[name] = Row(name, mark.kwargs.get("level", "must"), tuple(dict.fromkeys(ids)))
        return self._rows[name]


def row_name(nodeid: str) -> str:
    """``…/test_session.py::test_x[native-1]`` is the row ``session.x``."""
    path, *scopes = nodeid.partition("[")[0].split("::")
    module = path.rpartition("/")[2].removesuffix(".py")
    parts = [module, *scopes]
    return ".".join(part.removeprefix("test_").removeprefix("Test") for part in parts)


def _outcome(report: pytest.TestReport, error: BaseException | None) -> Outcome:
    if report.skipped:
        return Outcome.NOT_TESTED
    return Outcome.HARNESS_ERROR if isinstance(error, HARNESS_FAULTS) else Outcome.FAILED


def _detail(item: pytest.Item, report: pytest.TestReport, error: BaseException | None) -> str:
    parameters = item.nodeid.partition("[")[2].removesuffix("]").removeprefix("native").removeprefix("-")
    where = f"[{parameters}] " if parameters else ""
    said = str(error) if error else str(report.longrepr)
    return where + (said.strip().splitlines() or [type(error).__name__])[0]
