"""Tests of a file that share one browser find it as if it were fresh."""

import pytest

INNER = """
    import os, signal
    import pytest
    pytestmark = pytest.mark.webmcp_shared_browser
    PIDS = []

    def test_leaves_everything_behind(page, context, extension_browser, host, html_app, side_panel):
        PIDS.append(extension_browser.pid)
        context.route("**/*", lambda route: route.fulfill(body="routed"))
        context.new_page().goto(html_app.url)
        with context.expect_page():
            page.evaluate("window.open('about:blank', '_blank', 'width=300,height=300')")
        host.storage.set({"left": 1, "relaySettings": {"enabled": False}})
        host.storage.set({"relayTabSelection": {"tabIds": [1]}, "left": 1}, area="session")

    def test_finds_nothing(page, context, extension_browser, host, worker, html_app, relay_settings):
        assert extension_browser.pid == PIDS[0]
        assert [other.url for other in context.pages] == ["about:blank"]
        assert context.pages == [page]
        assert worker.generation == 1
        stored = worker.evaluate("chrome.storage.local.get()")
        assert stored == {"relaySettings": relay_settings}
        assert "left" not in worker.evaluate("chrome.storage.session.get()")
        assert worker.evaluate("chrome.runtime.getContexts({contextTypes: ['SIDE_PANEL']})") == []
        page.goto(html_app.url)
        assert "routed" not in page.content()
        panel = host.side_panel(page)
        assert panel.evaluate("chrome.runtime.id") == host.id

    def test_fails(host, page):
        raise AssertionError("on purpose")

    def test_has_another_browser_after_a_failure(extension_browser, host, page):
        PIDS.append(extension_browser.pid)
        assert PIDS[1] != PIDS[0]

    def test_restarts(extension_browser, host, page):
        assert extension_browser.pid == PIDS[1]
        extension_browser.restart()

    def test_has_another_browser_after_a_restart(extension_browser, host, page):
        assert extension_browser.pid not in PIDS
        PIDS.append(extension_browser.pid)

    @pytest.fixture
    def dead():
        os.kill(PIDS[-1], signal.SIGKILL)

    def test_has_another_browser_where_that_one_died_meanwhile(dead, extension_browser, host, page):
        assert extension_browser.pid not in PIDS
"""


def test_a_shared_browser_is_reset_between_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(INNER)
    result = pytester.runpytest_subprocess("--output=out", timeout=120)
    result.assert_outcomes(passed=6, failed=1)
