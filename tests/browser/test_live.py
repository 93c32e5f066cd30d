"""The package with a real Chromium: storage before the first line, failures that are told, nothing left behind."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright

from webmcp_e2e.browser import (
    BrowserClosed,
    BrowserCrashed,
    CdpError,
    ChromiumBinary,
    EvaluationFailed,
    ExtensionBrowser,
    ExtensionError,
    HarnessTimeout,
    LaunchFailed,
    WorkerStopped,
)
from webmcp_e2e.waiting import wait_until

PROBE = Path(__file__).parent / "fixtures" / "probe"
HANG_TIMEOUT_S = 2.0


@pytest.fixture
def hang_timeout() -> float:
    """The harness's own default, long enough for a busy machine."""
    return 8.0


@pytest.fixture
def browser(
    playwright: Playwright, chromium_binary: ChromiumBinary, hang_timeout: float
) -> Iterator[ExtensionBrowser]:
    launched = ExtensionBrowser.launch(playwright, binary=chromium_binary, hang_timeout=hang_timeout)
    yield launched
    launched.close()
    assert not launched.profile_dir.parent.exists()
    assert not any(runs_in(launched.pid, entry) for entry in Path("/proc").glob("[0-9]*/stat"))


def runs_in(group: int, stat: Path) -> bool:
    try:
        state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return int(of_group) == group and state != "Z"


def soon(action: Any) -> None:
    """Runs ``action`` while the test thread sits in a call."""
    threading.Timer(0.2, action).start()


def test_the_workers_first_line_sees_the_storage(browser: ExtensionBrowser) -> None:
    probe = browser.load_extension(PROBE, local_storage={"mark": {"deep": [1, "ü"]}})

    assert probe.worker.evaluate("firstLine") == {"mark": {"deep": [1, "ü"]}}
    assert (probe.name, probe.version, probe.enabled) == ("Probe", "1.0", True)
    assert (probe.worker.status, probe.worker.generation) == ("running", 1)


def test_extensions_load_while_playwright_connects(
    playwright: Playwright, chromium_binary: ChromiumBinary
) -> None:
    wanted = {PROBE: {"mark": 1}}
    browser = ExtensionBrowser.launch(playwright, binary=chromium_binary, extensions=wanted)
    try:
        (probe,) = browser.extensions.values()
        assert probe.worker.evaluate("firstLine") == {"mark": 1}
        assert browser.context.pages[0].url == "about:blank"
        assert not probe.worker.debugger_attached
    finally:
        browser.close()


def test_storage_is_read_and_written_with_the_worker_asleep(browser: ExtensionBrowser) -> None:
    probe = browser.load_extension(PROBE)
    probe.worker.stop()

    probe.storage.set({"a": 1, "b": None})
    probe.storage.set({"a": 2}, area="session")
    probe.storage.remove("b")

    assert probe.storage.get("a") == 1
    assert probe.storage.get("a", area="session") == 2
    assert probe.storage.get("b") is None
    assert (probe.worker.status, probe.worker.generation) == ("stopped", 1)
    assert [page.url for page in browser.context.pages] == ["about:blank"]


def test_evaluations_give_values_and_errors_and_wake_nobody(browser: ExtensionBrowser) -> None:
    worker = browser.load_extension(PROBE).worker

    assert worker.evaluate("chrome.runtime.getManifest().name") == "Probe"
    assert worker.evaluate("async ({ a }) => [a, undefined]", {"a": "'\"\n"}) == ["'\"\n", None]
    with pytest.raises(EvaluationFailed, match="evaluation_failed: Error: boom"):
        worker.evaluate("() => Promise.reject(new Error('boom'))")
    with pytest.raises(HarnessTimeout, match="new Promise"):
        worker.evaluate("new Promise(() => {})", timeout=0.3)
    worker.stop()
    with pytest.raises(WorkerStopped, match="Wake it first"):
        worker.evaluate("1")
    assert worker.generation == 1


def test_an_observed_workers_life_is_counted_too(
    playwright: Playwright, chromium_binary: ChromiumBinary
) -> None:
    browser = ExtensionBrowser.launch(playwright, binary=chromium_binary, observe_workers=True)
    try:
        probe = browser.load_extension(PROBE)
        probe.worker.stop()
        assert (probe.worker.status, probe.worker.generation) == ("stopped", 1)

        page = browser.context.new_page()
        page.goto(f"chrome-extension://{probe.id}/panel.html")
        page.evaluate("chrome.runtime.sendMessage('wake').catch(() => {})")

        probe.worker.wait_running()
        assert probe.worker.generation == 2
    finally:
        browser.close()


def test_switching_off_and_on(browser: ExtensionBrowser) -> None:
    probe = browser.load_extension(PROBE)

    probe.disable()
    probe.worker.wait_idle(10)
    assert not probe.enabled

    probe.enable()
    assert probe.enabled
    probe.worker.wait_running()
    assert probe.worker.generation == 2
    assert [page.url for page in browser.context.pages] == ["about:blank"]


def test_events_are_seen_over_a_restart(browser: ExtensionBrowser) -> None:
    browser.load_extension(PROBE)
    starts: list[str] = []
    browser.on_event(
        lambda event: starts.append(event.params["targetInfo"]["type"]) if is_creation(event) else None
    )

    browser.restart()

    wait_until(lambda: "service_worker" in starts, "the worker's start after the restart")


def is_creation(event: Any) -> bool:
    return bool(event.method == "Target.targetCreated")


def test_a_folder_without_an_extension_is_refused(browser: ExtensionBrowser, tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match=r"has no manifest\.json\. Give the folder"):
        browser.load_extension(tmp_path)
    (tmp_path / "manifest.json").write_text('{"manifest_version": 3}')
    with pytest.raises(ExtensionError, match="Chromium refuses"):
        browser.load_extension(tmp_path)


def test_a_command_that_chromium_refuses(browser: ExtensionBrowser) -> None:
    with pytest.raises(CdpError, match=r"cdp_error: No\.such: "):
        browser.cdp("No.such")


def test_a_crash_ends_a_playwright_call_with_its_cause(browser: ExtensionBrowser) -> None:
    probe = browser.load_extension(PROBE)
    page = browser.context.pages[0]
    soon(lambda: os.kill(browser.pid, signal.SIGSEGV))

    with pytest.raises(PlaywrightError, match=r"browser_crashed: Chromium ended by itself \(SIGSEGV\)"):
        page.evaluate("new Promise(() => {})")

    assert isinstance(browser.failure, BrowserCrashed)
    with pytest.raises(BrowserCrashed):
        probe.worker.evaluate("1")
    with pytest.raises(BrowserCrashed):
        probe.side_panel(page)


def test_a_crash_ends_a_call_of_our_own(browser: ExtensionBrowser) -> None:
    probe = browser.load_extension(PROBE)
    soon(lambda: os.kill(browser.pid, signal.SIGKILL))

    with pytest.raises(BrowserCrashed, match="SIGKILL"):
        probe.worker.evaluate("new Promise(() => {})")


@pytest.mark.parametrize("hang_timeout", [HANG_TIMEOUT_S])
def test_a_hung_page_ends_the_call_on_it_and_no_other(browser: ExtensionBrowser) -> None:
    page = browser.context.pages[0]

    with pytest.raises(PlaywrightError, match="page_hung: the page's main thread"):
        page.evaluate("while (true) {}")

    other = browser.context.new_page()
    assert other.evaluate("new Promise((done) => setTimeout(() => done('slow'), 3000))") == "slow"


@pytest.mark.parametrize("hang_timeout", [HANG_TIMEOUT_S])
def test_a_stopped_chromium_is_told_too(browser: ExtensionBrowser) -> None:
    page = browser.context.pages[0]
    os.kill(browser.pid, signal.SIGSTOP)

    with pytest.raises(PlaywrightError, match="page_hung"):
        page.evaluate("1")


def test_a_chromium_that_ends_at_once_says_why(playwright: Playwright, tmp_path: Path) -> None:
    script = tmp_path / "chromium"
    script.write_text("#!/bin/sh\necho no display here >&2\nexit 7\n")
    script.chmod(0o755)

    with pytest.raises(LaunchFailed, match=r"exit code 7.*no display here"):
        ExtensionBrowser.launch(playwright, binary=ChromiumBinary(script, "156.0.0.0"))


def test_after_closing_everything_says_so(playwright: Playwright, chromium_binary: ChromiumBinary) -> None:
    browser = ExtensionBrowser.launch(playwright, binary=chromium_binary)
    browser.close()
    browser.close()

    with pytest.raises(BrowserClosed, match="Launch another"):
        browser.cdp("Browser.getVersion")
