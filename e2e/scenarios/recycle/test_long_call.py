"""A call that takes longer than a worker's idle time returns its result, on each path."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.scripted_relay import ScriptedRelay, SourceConnection
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("recycle.long-call"),
    pytest.mark.webmcp_runtime("native"),
]

COUNT_KEEP_ALIVE = """
() => {
  const call = chrome.runtime.getPlatformInfo;
  globalThis.keptAlive = 0;
  chrome.runtime.getPlatformInfo = (...args) => {
    globalThis.keptAlive += 1;
    return call.apply(chrome.runtime, args);
  };
}
"""


@pytest.fixture
def mute_relay(relay_ports: range) -> Iterator[ScriptedRelay]:
    """A relay without heartbeat: nothing but the worker itself keeps the worker alive."""
    with ScriptedRelay(relay_ports[0]) as relay:
        yield relay


@pytest.fixture
def relay_settings(mute_relay: ScriptedRelay, relay_ports: range) -> dict[str, Any]:
    return {"enabled": True, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}


@pytest.fixture
def source(host: Extension, page: Page, html_app: HtmlApp, mute_relay: ScriptedRelay) -> SourceConnection:
    """The lab page's source."""
    page.goto(html_app.page(lab=""))
    return wait_until(
        lambda: next(one for one in mute_relay.connections if one.is_open and "slow" in (one.tools or ())),
        "the page's source",
    )


def kept_alive(host: Extension) -> int:
    return int(host.worker.evaluate("globalThis.keptAlive"))


class TestAtATenth:
    """What the worker does to stay alive; the 30 s themselves are Chromium's and cannot be shortened."""

    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"keepAlive": 400}

    def test_the_worker_makes_itself_heard_while_a_call_runs_and_only_then(
        self, host: Extension, source: SourceConnection
    ) -> None:
        host.worker.evaluate(COUNT_KEEP_ALIVE)
        began = time.monotonic()
        wait_until(lambda: time.monotonic() - began > 1.5, "some quiet")
        assert kept_alive(host) == 0, "without a call nothing holds it"

        result = source.call("slow", {"ms": 4_500})

        assert not result.get("isError"), result
        during = kept_alive(host)
        assert during >= 4
        ended = time.monotonic()
        wait_until(lambda: time.monotonic() - ended > 1.5, "some quiet")
        assert kept_alive(host) == during, "after the call nothing holds it"

    def test_calls_side_by_side_hold_it_until_the_last_has_ended(self, host: Extension, source) -> None:
        host.worker.evaluate(COUNT_KEEP_ALIVE)
        short, long = source.invoke("slow", {"ms": 300}), source.invoke("slow", {"ms": 3_000})
        source.result(short)
        before = kept_alive(host)
        source.result(long)
        assert kept_alive(host) > before

    def test_over_the_panel_the_worker_is_not_in_the_way(self, host, page: Page, source) -> None:
        """The panel's call needs no worker: it returns although the worker ends meanwhile."""
        panel = host.side_panel(page)
        panel.locator("[data-testid=source-tab][data-state=ready]").wait_for()
        panel.evaluate(
            "globalThis.slow = lumoPanel.call(lumoPanel.tools().find((n) => n.endsWith('__slow')), {ms: 3000}); 0"
        )
        host.worker.stop()
        result = panel.evaluate("slow")
        assert not result.get("isError"), result


@pytest.mark.soak
class TestFullLength:
    """45 s, longer than Chromium lets an idle worker live."""

    def test_over_the_relay_it_returns_and_the_worker_idles_out_later(
        self, host, source: SourceConnection
    ) -> None:
        generation = host.worker.generation
        result = source.result(source.invoke("slow", {"ms": 45_000}), timeout=60)
        ended = time.monotonic()

        assert not result.get("isError"), result
        assert host.worker.generation == generation

        wait_until(lambda: not source.is_open, "the worker's natural end", timeout=60)
        assert time.monotonic() - ended > 29

    def test_over_the_panel_it_returns(self, host, page: Page, source: SourceConnection) -> None:
        panel = host.side_panel(page)
        panel.locator("[data-testid=source-tab][data-state=ready]").wait_for()
        script = "lumoPanel.call(lumoPanel.tools().find((n) => n.endsWith('__slow')), {ms: 45000})"
        result = panel.evaluate(script)
        assert not result.get("isError"), result

    class TestWithoutKeepAlive:
        """The counter-proof: with the keep-alive out of reach the same call dies with the worker."""

        @pytest.fixture
        def webmcp_timings(self) -> dict[str, int]:
            return {"keepAlive": 600_000}

        def test_the_call_would_have_died(self, source: SourceConnection) -> None:
            began = time.monotonic()
            call = source.invoke("slow", {"ms": 45_000})
            wait_until(lambda: not source.is_open, "the worker ends in the middle of the call", timeout=44)
            assert time.monotonic() - began > 28
            assert not any(frame.get("callId") == call for frame in source.frames)
