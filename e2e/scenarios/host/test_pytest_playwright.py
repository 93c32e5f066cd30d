"""pytest-playwright's own options on the extension's context, each in a pytest run of its own."""

import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.requirement("harness.pytest-playwright"), pytest.mark.webmcp_runtime("native")]

INNER = """
from playwright.sync_api import expect

def test_inner(page, host, side_panel):
    page.goto("data:text/html,<title>inner</title><h1>hello</h1>")
    expect(page.locator("h1")).to_have_text("hello")
    assert host.id in side_panel.url
    expect(side_panel.locator("body")).to_be_attached()
"""


@pytest.fixture
def inner(pytester: pytest.Pytester, request: pytest.FixtureRequest):
    """Run ``test`` in a pytest of its own, with the browser and extension of this run."""

    def run(*options: str, test: str = INNER) -> pytest.RunResult:
        pytester.makepyfile(test)
        chosen = [
            f"{name}={value}"
            for name in ("--webmcp-chromium", "--webmcp-host")
            if (value := request.config.getoption(name)) is not None
        ]
        # pytest-playwright's own base_url fixture warns on pytest 9.2; that is not ours to count.
        quiet = ("-W", "ignore::pytest.PytestRemovedIn10Warning")
        return pytester.runpytest_subprocess("--output=out", *quiet, *chosen, *options, timeout=90)

    return run


def artifacts(pytester: pytest.Pytester, pattern: str) -> list[Path]:
    return sorted((pytester.path / "out").rglob(pattern))


def test_tracing_covers_page_and_panel(inner, pytester: pytest.Pytester) -> None:
    inner("--tracing=on").assert_outcomes(passed=1)
    (trace,) = artifacts(pytester, "trace.zip")
    with zipfile.ZipFile(trace) as archive:
        text = b"".join(archive.read(name) for name in archive.namelist() if name.endswith(".trace"))
    assert b"hello" in text
    assert b"/side-panel/" in text, "the panel is in the trace too"


def test_screenshot_of_each_page(inner, pytester: pytest.Pytester) -> None:
    inner("--screenshot=on").assert_outcomes(passed=1)
    shots = artifacts(pytester, "test-finished-*.png")
    assert len(shots) >= 2, "one of the page, one of the panel"


def test_artifacts_only_on_failure(inner, pytester: pytest.Pytester) -> None:
    failing = INNER + "\ndef test_fails(page, host):\n    page.goto('about:blank')\n    assert False\n"
    options = ("--tracing=retain-on-failure", "--screenshot=only-on-failure")
    inner(*options, test=failing).assert_outcomes(passed=1, failed=1)
    assert [path.parent.name for path in artifacts(pytester, "trace.zip")] == [
        path.parent.name for path in artifacts(pytester, "test-failed-1.png")
    ]
    assert len(artifacts(pytester, "trace.zip")) == 1


def test_base_url(inner, pytester: pytest.Pytester) -> None:
    test = """
        def test_inner(page, html_app, base_url):
            page.goto("/plain.html")
            assert page.url == base_url + "/plain.html"
    """
    pytester.makeconftest(
        """
        import pytest
        @pytest.fixture(scope="session")
        def base_url():
            from webmcp_e2e.services.html_app import HtmlApp
            with HtmlApp() as app:
                yield app.origin
        """
    )
    inner(test=test).assert_outcomes(passed=1)


def test_headed(inner, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        @pytest.fixture
        def webmcp_chromium_args():
            return ["--ozone-platform=headless"]  # a headed browser where there is no display
        """
    )
    test = """
        def test_inner(page, host):
            assert "Headless" not in page.evaluate("navigator.userAgent")
    """
    inner("--headed", test=test).assert_outcomes(passed=1)


def test_arguments_of_the_browser_type(inner, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        @pytest.fixture(scope="session")
        def browser_type_launch_args(browser_type_launch_args):
            return {**browser_type_launch_args, "args": ["--user-agent=Mine/1"]}
        """
    )
    test = """
        def test_inner(page, host):
            assert page.evaluate("navigator.userAgent") == "Mine/1"
    """
    inner(test=test).assert_outcomes(passed=1)


def test_slow_motion(inner) -> None:
    test = """
        import time
        def test_inner(page, host):
            begin = time.monotonic()
            page.goto("about:blank")
            assert time.monotonic() - begin >= 0.3
    """
    inner("--slowmo=300", test=test).assert_outcomes(passed=1)


def test_video_or_one_warning(inner, pytester: pytest.Pytester) -> None:
    test = """
        def test_first(page, host):
            page.goto("about:blank")
        def test_second(page, host):
            page.goto("about:blank")
    """
    result = inner("--video=on", test=test)
    result.assert_outcomes(passed=2, warnings=0 if artifacts(pytester, "*.webm") else 1)


@pytest.mark.parametrize("option", ["--browser=firefox", "--device=Pixel 5", "--browser-channel=chrome"])
def test_options_that_cannot_work_are_usage_errors(inner, option: str) -> None:
    result = inner(option)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*does not work with an extension's browser*"])


def test_other_peoples_tests_are_left_alone(inner, pytester: pytest.Pytester) -> None:
    """A test that asks for none of our fixtures gets pytest-playwright's own browser and context."""
    pytester.makeconftest(
        """
        import pytest
        from webmcp_e2e.browser import find_chromium
        @pytest.fixture(scope="session")
        def browser_type_launch_args(pytestconfig):
            binary = find_chromium(pytestconfig.getoption("--webmcp-chromium"))
            return {"executable_path": str(binary.path), "chromium_sandbox": False}
        """
    )
    test = """
        def test_plain(page, context, browser):
            assert context in browser.contexts
            assert page.viewport_size == {"width": 1280, "height": 720}
    """
    inner(test=test).assert_outcomes(passed=1)
