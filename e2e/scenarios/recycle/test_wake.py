"""A worker that is stopped under an open relay socket comes back by itself; without a socket nothing wakes it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.scripted_relay import ScriptedRelay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("recycle.wake"),
    pytest.mark.webmcp_runtime("native"),
]

QUIET_S = 3.0
"""Many times what a wake takes (some 100 ms)."""

TIMES = 5


def stays_stopped(host: Extension) -> bool:
    """Whether no worker starts for a while."""
    generation = host.worker.generation
    began = time.monotonic()
    wait_until(lambda: time.monotonic() - began > QUIET_S or host.worker.status != "stopped", "quiet")
    return host.worker.status == "stopped" and host.worker.generation == generation


def test_a_stopped_worker_is_back_by_itself_each_time(chain: Chain) -> None:
    worker = chain.host.worker
    for index in range(TIMES):
        generation = worker.generation
        worker.stop()
        worker.wait_running()
        wait_until(lambda: not chain.relay.call("echo", {"text": "back"}).is_error, "the tools are back")
        assert worker.generation == generation + 1, "one wake, no storm"
        assert len(chain.html_app.invocations) == index + 1


def test_it_comes_back_with_the_panel_open_too(chain: Chain) -> None:
    panel = chain.host.side_panel(chain.page)
    badge = panel.get_by_test_id("relay-badge")
    panel.locator("[data-testid=relay-badge][data-phase=connected]").wait_for()
    chain.host.worker.stop()
    wait_until(
        lambda: badge.get_attribute("data-phase") == "connected", "the panel sees the new worker's relay"
    )
    assert chain.host.worker.status == "running"


class TestWithoutSocket:
    """Switched off, or the relay gone: idling stays idling."""

    def test_switched_off_nothing_wakes_it(self, host: Extension, page: Page, html_app: HtmlApp) -> None:
        page.goto(html_app.page(lab=""))
        host.worker.stop()
        # In this order: Chromium 156 itself ends (SIGILL) in one of ten fresh browsers when a page with native tools
        # is left right after its title has changed.
        page.goto(html_app.page("plain.html"))
        page.evaluate("document.title = 'another title'")
        assert stays_stopped(host), "what pages do wakes nobody"

    def test_a_panel_whose_port_fell_does_not_wake_it(self, host: Extension, page: Page, html_app) -> None:
        page.goto(html_app.page(lab=""))
        panel = host.side_panel(page)
        panel.locator("[data-testid=source-tab][data-state=ready]").wait_for()
        host.worker.stop()
        assert stays_stopped(host)

    def test_after_the_relay_has_gone_the_page_wakes_nobody(self, chain: Chain) -> None:
        chain.relay.kill()
        wait_until(
            lambda: "waiting" in (chain.host.storage.get("relayConnector", area="session") or {}),
            "tries and scan have failed",
            timeout=30,
        )
        chain.host.worker.stop()
        assert stays_stopped(chain.host)


class TestTheNaturalEnd:
    """A relay that sends no ping lets the worker idle out under its open socket."""

    @pytest.fixture
    def mute_relay(self, relay_ports: range) -> Iterator[ScriptedRelay]:
        with ScriptedRelay(relay_ports[0]) as relay:
            yield relay

    @pytest.fixture
    def relay_settings(self, mute_relay: ScriptedRelay, relay_ports: range) -> dict[str, Any]:
        return {"enabled": True, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}

    @pytest.mark.soak
    def test_it_is_back_by_itself_after_its_natural_end(
        self, host: Extension, page, html_app, mute_relay
    ) -> None:
        page.goto(html_app.page(lab=""))
        first = wait_until(
            lambda: next(one for one in mute_relay.connections if "echo" in (one.tools or ())),
            "the page's source",
        )
        generation = host.worker.generation
        wait_until(lambda: first.close_code is not None, "the worker's natural end", timeout=45)
        again = mute_relay.wait_for(first.tab_id or "", "echo")
        assert host.worker.generation == generation + 1
        assert again.call("echo", {"text": "woken"})["content"][0]["text"] == "woken"
