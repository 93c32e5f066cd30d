"""No debugger is attached to a worker, unless for the moment of an evaluation: workers live as at a user's."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Playwright
from witness_kit import WITNESS, Witness

from webmcp_e2e.browser import ChromiumBinary, Extension, ExtensionBrowser
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.requirement("recycle.unobserved"), pytest.mark.webmcp_runtime("native")]


def test_nothing_is_attached_to_a_loaded_worker(host: Extension) -> None:
    assert host.worker.status == "running"
    assert not host.worker.debugger_attached
    assert all(attachment.until is not None for attachment in host.worker.attach_log)


def test_evaluating_attaches_for_its_moment_only(witness: Witness) -> None:
    before = len(witness.worker.attach_log)

    assert witness.worker.evaluate("(n) => n + 1", 1) == 2

    assert not witness.worker.debugger_attached
    (attachment,) = witness.worker.attach_log[before:]
    assert attachment.reason == "evaluate"
    assert attachment.until is not None


def test_a_failed_evaluation_leaves_nothing_attached(witness: Witness) -> None:
    with pytest.raises(Exception, match="boom"):
        witness.worker.evaluate("() => { throw new Error('boom'); }")

    assert not witness.worker.debugger_attached


def test_a_worker_that_an_event_started_is_let_go(witness: Witness) -> None:
    witness.worker.stop()
    witness.birth()
    witness.worker.wait_running()

    assert witness.worker.generation == 2
    wait_until(lambda: not witness.worker.debugger_attached, "nothing attached to the new worker")


def test_the_side_panels_own_session_does_not_observe_its_worker(host: Extension, page: Page) -> None:
    host.side_panel(page)

    wait_until(lambda: not host.worker.debugger_attached, "nothing attached beside the side panel")
    assert all(attachment.until is not None for attachment in host.worker.attach_log)


def test_the_check_sees_a_debugger_where_there_is_one(
    playwright: Playwright, chromium_binary: ChromiumBinary
) -> None:
    browser = ExtensionBrowser.launch(playwright, binary=chromium_binary, observe_workers=True)
    try:
        worker = browser.load_extension(WITNESS).worker

        assert worker.debugger_attached
        assert worker.attach_log[0].reason == "observe"
        assert worker.attach_log[0].until is None
        page = browser.context.pages[0]
        seen = lambda: browser.context.service_workers  # noqa: E731
        wait_until(seen, "Playwright sees the worker", pump=lambda s: page.wait_for_timeout(1000 * s))
    finally:
        browser.close()
