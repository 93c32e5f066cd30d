"""The fixtures of the hops: what is recorded in a test, and the bundle that a failed one leaves."""

from __future__ import annotations

import contextlib
import platform
import shlex
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Error

from webmcp_e2e import __version__
from webmcp_e2e.diagnosis import LOGS

if TYPE_CHECKING:
    from webmcp_e2e.browser import ExtensionBrowser
    from webmcp_e2e.hops import Facts, Hops, Mode

__all__ = ["hops", "webmcp_hops", "webmcp_secrets"]

HOPS_OPTION = "--webmcp-hops"
BUNDLE = "bundle"
"""The folder of that name among a test's artifacts is its bundle."""
RERUN: pytest.StashKey[str] = pytest.StashKey()
"""Of the config: the command that runs it again, where pytest's own would not."""
_FAILURE: pytest.StashKey[str] = pytest.StashKey()
_FOLDER: pytest.StashKey[Path] = pytest.StashKey()
_VERSIONS: pytest.StashKey[dict[str, str]] = pytest.StashKey()
_SHOT_MS = 3_000


@pytest.fixture
def webmcp_secrets() -> list[str]:
    """Texts that no recording, log or bundle may hold. Override to give keys and tokens of your tests."""
    return []


@pytest.fixture
def webmcp_hops(pytestconfig: pytest.Config) -> Mode:
    """Whether this test's hops are recorded; ``--webmcp-hops``. Override for tests that are about hops."""
    mode: Mode = pytestconfig.getoption(HOPS_OPTION)
    return mode


@pytest.fixture
def hops(
    request: pytest.FixtureRequest,
    webmcp_hops: Mode,
    webmcp_secrets: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Hops]:
    """What crossed each hop of the chain in this test: ``.recording()``, ``.calls()``, ``.active``.

    Recorded with ``--webmcp-hops on`` or ``retain-on-failure``; else nothing is observed, and a failed test's bundle
    has what is known without: outcome, versions, logs, pictures.
    """
    from webmcp_e2e.hops import Hops

    folder = Path() if webmcp_hops == "off" else tmp_path_factory.mktemp("hops")
    request.node.stash[_FOLDER] = Path(request.getfixturevalue("output_path")) / BUNDLE
    session = Hops(webmcp_hops, folder, webmcp_secrets)
    yield session
    if is_wanted(session, request.node):
        _write(session, request.node)


def is_wanted(hops: Hops, item: pytest.Item) -> bool:
    """Whether this test leaves a bundle, as far as is known by now."""
    return hops.mode == "on" or _FAILURE in item.stash


def keep_browser(hops: Hops, item: pytest.Item, browser: ExtensionBrowser) -> None:
    """What only a living browser can tell: pictures of its pages and panels, versions, names."""
    for extension in browser.extensions.values():
        hops.recorder.name(extension.id, extension.path.name)
    if not is_wanted(hops, item):
        return
    item.stash[_VERSIONS] = {"Chromium": browser.binary.version, "runtime": browser.runtime}
    folder = item.stash[_FOLDER]
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(browser.context.pages, 1):
        kind = "panel" if page.url.startswith("chrome-extension:") else "page"
        with contextlib.suppress(Error):
            page.screenshot(path=folder / f"{kind}-{number}.png", timeout=_SHOT_MS)
    _keep_log(item, browser.stderr_file, folder / "chromium.log")


def _keep_log(item: pytest.Item, log: Path, kept: Path) -> None:
    """A log in the profile goes with the browser; the copy is cleaned of secrets with the rest of the bundle."""
    if not log.is_file():
        return
    kept.write_bytes(log.read_bytes())
    for title, path in item.stash.get(LOGS, {}).items():
        if path == log:
            item.stash[LOGS][title] = kept


@contextlib.contextmanager
def traced(hops: Hops, item: pytest.Item, context: BrowserContext) -> Iterator[None]:
    """Playwright's own trace for the bundle, where the user has not asked for one elsewhere."""
    if not hops.active or item.config.getoption("--tracing") != "off":
        yield
        return
    context.tracing.start(screenshots=True, snapshots=True, sources=True)
    try:
        yield
    finally:
        with contextlib.suppress(Error):
            folder = item.stash[_FOLDER]
            context.tracing.stop(path=folder / "trace.zip" if is_wanted(hops, item) else None)


def _write(hops: Hops, item: pytest.Item) -> None:
    from webmcp_e2e.hops import write_bare_bundle, write_bundle

    logs = {f"{path.stem}.log": path for path in item.stash.get(LOGS, {}).values()}
    folder, redactor = item.stash[_FOLDER], hops.recorder.redactor
    if hops.active:
        write_bundle(folder, hops.recording(), _facts(item), redactor, logs)
    else:
        write_bare_bundle(folder, _facts(item), redactor, logs)


def _facts(item: pytest.Item) -> Facts:
    from webmcp_e2e.hops import Facts

    failure = item.stash.get(_FAILURE, "")
    versions: dict[str, str] = item.stash.get(_VERSIONS, {})
    return Facts(
        test=item.nodeid,
        outcome="failed" if failure else "passed",
        failure=failure,
        rerun=item.config.stash.get(RERUN, shlex.join(["pytest", item.nodeid, HOPS_OPTION, "on"])),
        versions={"webmcp-e2e": __version__, **versions, "Python": platform.python_version()},
    )


def _how_to_read(item: pytest.Item, where: Path) -> str:
    if item.config.getoption(HOPS_OPTION) == "off":
        return f"{where}\nlogs and pictures; {HOPS_OPTION} retain-on-failure adds the timeline of all hops"
    return f"{where}\nwebmcp-e2e show {where}"


def _call_passed(report: pytest.TestReport) -> bool:
    """Whether it tells of the test itself, and well."""
    return report.when == "call" and report.passed


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember the first failure, and say where the bundle will be."""
    report = yield
    if report.failed:
        item.stash.setdefault(_FAILURE, report.longreprtext)
    kept = report.failed or (_call_passed(report) and item.config.getoption(HOPS_OPTION) == "on")
    if kept and _FOLDER in item.stash:
        report.sections.append(("Bundle", _how_to_read(item, item.stash[_FOLDER])))
    return report
