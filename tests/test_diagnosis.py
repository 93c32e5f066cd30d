"""A test whose Chromium crashed says so, and can be told apart from a subject's fault."""

import pytest

CRASHES = """
    import os, signal, pathlib, pytest
    from webmcp_e2e.waiting import wait_until

    def test_it(extension_browser, page):
        tries = pathlib.Path("tries.txt")
        tries.write_text((tries.read_text() if tries.exists() else "") + "x")
        if len(tries.read_text()) == 1:
            os.kill(extension_browser.pid, signal.SIGNUMBER)
            wait_until(page.is_closed, "the page is gone", pump=page.wait_for_timeout)
        page.goto("about:blank")
"""
ONLY_CRASHES = ("--reruns", "1", "--only-rerun", "browser_crashed: Chromium ended by itself .SIGILL.")


def run(pytester: pytest.Pytester, number: str) -> pytest.RunResult:
    pytester.makepyfile(CRASHES.replace("SIGNUMBER", number))
    return pytester.runpytest_subprocess("--output=out", *ONLY_CRASHES, timeout=60)


def test_a_test_whose_chromium_ended_by_its_defect_runs_again(pytester: pytest.Pytester) -> None:
    result = run(pytester, "SIGILL")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*1 passed, *rerun*"])


def test_any_other_end_fails_with_its_cause(pytester: pytest.Pytester) -> None:
    result = run(pytester, "SIGSEGV")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["E  *BrowserCrashed: browser_crashed: Chromium ended by itself (SIGSEGV)*"])
