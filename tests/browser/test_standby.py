"""The next test's browser boots while this one runs, and is as fresh as any."""

import pytest

INNER = """
    import pytest
    from webmcp_e2e.standby_browser import STANDBY

    SEEN = []

    def ahead(request):
        standby = request.config.stash[STANDBY]
        return standby._browser

    def test_first(request, page, host, extension_browser):
        assert ahead(request).pid != extension_browser.pid
        SEEN.append(ahead(request).pid)

    def test_second_finds_it_as_fresh_as_any(request, page, host, worker, extension_browser):
        assert extension_browser.pid == SEEN[0]
        assert page.url == "about:blank"
        assert worker.generation == 1
        assert list(extension_browser.extensions) == [host.id]
        SEEN.append(ahead(request))

    class TestOthers:
        @pytest.fixture
        def webmcp_chromium_args(self):
            return ["--user-agent=another"]

        def test_third_wants_another_and_the_guess_is_gone(self, page, host, extension_browser):
            guess = SEEN[1]
            assert extension_browser is not guess
            assert not guess.profile_dir.exists()
            assert page.evaluate("navigator.userAgent") == "another"
"""


def test_a_browser_is_started_ahead_and_a_wrong_guess_thrown_away(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(INNER)
    result = pytester.runpytest_subprocess("--output=out", timeout=120)
    result.assert_outcomes(passed=3)
