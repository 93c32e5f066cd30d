"""What a failed test shows beside its traceback: why the browser ended, and the ends of the logs."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from webmcp_e2e.browser import ExtensionBrowser

LOGS: pytest.StashKey[dict[str, Path]] = pytest.StashKey()
"""On an item: log files by title; fixtures put theirs in with ``attach_log``."""

BROWSER: pytest.StashKey[ExtensionBrowser] = pytest.StashKey()
"""On an item: its browser. A Playwright call that was under way when Chromium ended raises Playwright's own error."""

_CRASH: pytest.StashKey[Exception] = pytest.StashKey()
_TAIL_LINES = 40


def attach_log(item: pytest.Item, title: str, path: Path) -> None:
    """Show the end of ``path`` in the report if the test fails."""
    item.stash.setdefault(LOGS, {})[title] = path


def _tail(path: Path) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        return f"(cannot be read: {error})"
    return "\n".join(lines[-_TAIL_LINES:])


def _crash(item: pytest.Item) -> Exception | None:
    """The crash of this test's Chromium, if that is what ended it; one that is being looked into is waited for."""
    from webmcp_e2e.browser import BrowserCrashed

    browser = item.stash.get(BROWSER, None)
    reason = item.stash.get(_CRASH, None) if browser is None else browser.end_reason()
    if not isinstance(reason, BrowserCrashed):
        return None
    item.stash[_CRASH] = reason  # teardown stumbles over it too, when the fixture has gone
    return reason


def _naming_the_crash(item: pytest.Item) -> Generator[None, object, object]:
    """A test that stumbled over a crashed Chromium fails with the crash, not with what Playwright saw of it.

    So it can be told from the subject's faults: ``--only-rerun browser_crashed`` of pytest-rerunfailures does.
    """
    try:
        return (yield)
    except Exception as error:
        crash = _crash(item)
        if crash is None or crash is error:
            raise
        raise crash from error


pytest_runtest_setup = pytest.hookimpl(wrapper=True)(_naming_the_crash)
pytest_runtest_call = pytest.hookimpl(wrapper=True)(_naming_the_crash)
pytest_runtest_teardown = pytest.hookimpl(wrapper=True)(_naming_the_crash)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the ends of the logs to the report of a failed phase."""
    report = yield
    if report.failed:
        browser = item.stash.get(BROWSER, None)
        if browser is not None and browser.failure is not None:
            report.sections.append(("Why the browser ended", str(browser.failure)))
        for title, path in item.stash.get(LOGS, {}).items():
            report.sections.append((title, _tail(path)))
    return report
