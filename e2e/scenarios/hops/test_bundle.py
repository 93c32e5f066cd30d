"""What a failed test leaves behind, and what a reader's browser does with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from webmcp_e2e.hops import Facts, Lane, Recorder, Redactor, write_bundle
from webmcp_e2e.html_report import HtmlReport, Line

pytestmark = [pytest.mark.webmcp_runtime("native")]
FAILING = """
    import pytest

    @pytest.fixture
    def webmcp_secrets():
        return ["hush-hush-0815"]

    def test_fails(chain, side_panel):
        chain.page.evaluate("console.error('the key is hush-hush-0815')")
        chain.call("echo", {"text": "hush-hush-0815"})
        assert chain.call("always_fail") == "hush-hush-0815"
"""
MEMBERS = {
    "hops.jsonl", "timeline.html", "timeline.json", "sequence.md", "summary.json", "rerun.txt",
    "trace.zip", "chromium.log", "relay.log", "page-1.png", "panel-2.png",
}  # fmt: skip
RECORDED = {"hops.jsonl", "timeline.html", "timeline.json", "sequence.md", "trace.zip"}
HOSTILE = "</script><script>document.title = 'ran'</script><img src=//evil.example onerror=alert(1)>"
EVENTS = 50_000


@pytest.mark.requirement("harness.artifacts")
def test_a_failed_test_leaves_a_whole_bundle_without_secrets(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess(
        *("--webmcp-hops", "retain-on-failure", "--output", "out", "-o", "webmcp_requirements=")
    )
    result.assert_outcomes(failed=1)
    (bundle,) = pytester.path.glob("out/*/bundle")
    assert {path.name for path in bundle.iterdir()} >= MEMBERS
    assert not [path for path in bundle.iterdir() if b"hush-hush" in path.read_bytes()]
    calls = json.loads((bundle / "summary.json").read_text())["calls"]
    assert [(call["tool"], call["failed"]) for call in calls] == [("echo", False), ("always_fail", True)]
    result.stdout.fnmatch_lines(["*webmcp-e2e show *bundle*"])


@pytest.mark.requirement("harness.artifacts")
def test_without_hops_it_leaves_logs_and_pictures(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess("--output", "out", "-o", "webmcp_requirements=")
    result.assert_outcomes(failed=1)
    (bundle,) = pytester.path.glob("out/*/bundle")
    assert {path.name for path in bundle.iterdir()} == MEMBERS - RECORDED
    assert not [path for path in bundle.iterdir() if b"hush-hush" in path.read_bytes()]
    summary = json.loads((bundle / "summary.json").read_text())
    assert summary["outcome"] == "failed"
    assert "Chromium" in summary["versions"]
    result.stdout.fnmatch_lines(["*--webmcp-hops retain-on-failure adds*"])


def many_events(count: int) -> Recorder:
    """Calls whose every text is hostile, one of them never answered."""
    recorder = Recorder()
    lanes = [Lane("client", "client", HOSTILE), Lane("worker:x", "worker", "worker", "x")]
    recorder.add(lanes[1], "worker.start", 0.0, generation=1)
    for number in range(count // 4):
        ask = {"jsonrpc": "2.0", "id": number, "method": "tools/call"}
        ask |= {"params": {"name": "echo", "arguments": {"n": number, "text": HOSTILE}}}
        for at, lane in enumerate(lanes):
            recorder.add(lane, "rpc.out" if at == 0 else "rpc.in", number * 10.0 + at, data=ask)
        if number == 7:
            continue
        answer = {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": HOSTILE}]}}
        for at, lane in enumerate(reversed(lanes)):
            recorder.add(lane, "rpc.out" if at == 0 else "rpc.in", number * 10.0 + 2 + at, data=answer)
    return recorder


@pytest.mark.requirement("harness.hostile-report", "harness.timeline")
def test_fifty_thousand_hostile_events_open_from_disk_and_run_nothing(
    page: Page, extension_browser: object, tmp_path: Path
) -> None:
    recording = many_events(EVENTS).recording()
    facts = Facts(test=HOSTILE, outcome="failed", failure=HOSTILE)
    bundle = write_bundle(tmp_path / "bundle", recording, facts, Redactor())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.goto((bundle / "timeline.html").as_uri())

    expect(page.locator("#title")).to_have_text(HOSTILE)
    expect(page).to_have_title(HOSTILE)
    expect(page.locator("#trouble li").first).to_contain_text("Call 8 of echo never answered")
    page.locator("#trouble li button").first.click()
    expect(page.locator("#detail h3")).to_contain_text("never answered")
    page.get_by_label("Search").fill('"n": 4321,')
    expect(page.locator(".row")).to_have_count(2)
    page.locator(".row").first.click()
    expect(page.locator("#detail ol li")).to_have_count(4)
    page.locator("#detail summary").click()
    expect(page.locator("#detail pre")).to_contain_text("onerror=alert(1)")
    assert page.locator("img").count() == 0
    assert [url for url in asked if not url.startswith("file:")] == []


@pytest.mark.requirement("harness.hostile-report")
def test_a_report_shows_hostile_words_as_words(page: Page, extension_browser: object, tmp_path: Path) -> None:
    lines = [
        Line("bad", HOSTILE, HOSTILE, [HOSTILE]),
        Line("good", "b", "all is well", link="javascript:alert(1)"),
    ]
    file = tmp_path / "reports" / "report.html"
    HtmlReport(HOSTILE, HOSTILE, HOSTILE, True, lines).write(file)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.goto(file.as_uri())

    expect(page).to_have_title(HOSTILE)
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".detail")).to_have_text(HOSTILE)
    page.get_by_label("fails (1)").uncheck()
    expect(page.locator("tbody tr:visible")).to_contain_text(["all is well"])
    assert page.locator("img, a").count() == 0
    assert [url for url in asked if not url.startswith("file:")] == []
