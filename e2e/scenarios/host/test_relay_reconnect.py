"""The relay goes and comes back: the browser finds it again, on the schedule and without a storm."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.services.scripted_relay import ScriptedRelay, SourceConnection
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.requirement("chain.relay.reconnect"), pytest.mark.webmcp_runtime("native")]

SOURCES = 2
"""The extension itself, and the one tab that is open."""

TENTH = {
    "reconnectFirst": 50,
    "reconnectMax": 300,
    "alarmFirst": 3_000,
    "alarmSecond": 6_000,
    # Long: the tries and the first two alarms must find the relay, not the one that is always set.
    "alarmRest": 600_000,
    "rejectionPause": 3_000,
    "probe": 500,
    "sourceGrace": 1_000,
}


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    """The schedule at a tenth of its length."""
    return TENTH


def connector(host: Extension) -> dict[str, Any]:
    """What the connector keeps for the next worker."""
    value: dict[str, Any] | None = host.storage.get("relayConnector", area="session")
    return value or {}


def test_a_restarted_relay_has_the_tools_again_without_touching_the_browser(chain: Chain) -> None:
    chain.relay.restart()
    chain.wait_ready("echo")
    assert chain.call("echo", {"text": "back"})["content"][0]["text"] == "back"


def test_it_is_found_on_another_port_of_the_range(chain: Chain, tmp_path: Path) -> None:
    moved = Relay(chain.relay.ports[2:], tmp_path, name="moved")
    moved.start()
    try:
        chain.relay.kill()
        wait_until(lambda: "echo" in moved.page_tools(), "the tools are on the other port", timeout=20)
        assert not moved.call("echo", {"text": "moved"}).is_error
    finally:
        moved.close()


def test_any_number_of_restarts(chain: Chain) -> None:
    for index in range(3):
        chain.relay.restart()
        chain.wait_ready("echo")
        assert chain.call("echo", {"text": str(index)})["content"][0]["text"] == str(index)


def test_a_relay_that_comes_back_late_is_found_by_the_alarm(chain: Chain) -> None:
    chain.relay.kill()
    wait_until(lambda: "waiting" in connector(chain.host), "tries and scan have failed", timeout=20)

    chain.relay.start()

    chain.wait_ready("echo")
    assert connector(chain.host).get("endpoint", {}).get("port") == chain.relay.port


def test_a_worker_stopped_while_it_waits_is_started_by_the_alarm(chain: Chain) -> None:
    chain.relay.kill()
    wait_until(lambda: "waiting" in connector(chain.host), "tries and scan have failed", timeout=20)
    chain.host.worker.stop()

    chain.relay.start()

    chain.wait_ready("echo")


class TestTries:
    """A silent relay: each try lasts as long as the probe, which a loaded machine needs to see it at all."""

    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {**TENTH, "probe": 1_000}

    def test_the_same_endpoint_is_tried_five_times_then_the_range_is_scanned(
        self, scripted_relay: ScriptedRelay, host: Extension, relay_ports: range
    ) -> None:
        wait_until(
            lambda: len(scripted_relay.connections) == SOURCES, "the extension and its tab are connected"
        )
        before = len(scripted_relay.connections)
        with ScriptedRelay(relay_ports[3]) as other:
            scripted_relay.silent = True
            fell = time.monotonic()
            for one in scripted_relay.connections:
                one.close(1001)
            other.wait_for("extension", timeout=30)

            elapsed = time.monotonic() - fell
            tries = scripted_relay.connections[before:]
            assert len(tries) == 5 * SOURCES + 1, "five tries a source, and the probe of the scan"
            shortest = sum(min(50 * 1.5**n, 300) for n in range(5)) * 0.85 / 1000
            assert elapsed > shortest


def test_without_a_relay_only_a_cause_scans_the_middle_of_the_range(
    host, page: Page, relay_ports: range
) -> None:
    """The alarms look at the last port and the first; the panel's opening looks everywhere."""
    with ScriptedRelay(relay_ports[1]) as middle:
        host.storage.set(
            {
                "relaySettings": {
                    "enabled": True,
                    "host": "127.0.0.1",
                    "ports": [relay_ports[2], relay_ports[3]],
                }
            }
        )
        wait_until(lambda: "waiting" in connector(host), "nothing was found")
        host.storage.set(
            {
                "relaySettings": {
                    "enabled": True,
                    "host": "127.0.0.1",
                    "ports": [relay_ports[0], relay_ports[3]],
                }
            }
        )
        wait_until(lambda: len(sources(middle)) == SOURCES, "every source has found the relay")
        middle.silent = True
        for source in sources(middle):
            source.close(1001)
        wait_until(lambda: "waiting" in connector(host), "tries and scan have failed", timeout=20)
        middle.silent = False

        host.side_panel(page)

        middle.wait_for("extension")


def sources(relay: ScriptedRelay) -> list[SourceConnection]:
    """The sockets that have said for whom they are."""
    return [one for one in relay.connections if one.tab_id is not None]


@pytest.fixture
def rejecting(relay_ports: range) -> Iterator[ScriptedRelay]:
    with ScriptedRelay(relay_ports[0], rejection="not allowed here") as relay:
        yield relay


class TestRejection:
    """A relay that says no is left alone for the pause, and asked again after it."""

    @pytest.fixture
    def relay_settings(self, rejecting: ScriptedRelay, relay_ports: range) -> dict[str, Any]:
        return {"enabled": True, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}

    def test_it_is_left_alone_for_the_pause_then_asked_again(self, host: Extension, rejecting) -> None:
        wait_until(lambda: len(connector(host).get("rejected", {})) == 2, "both sources were rejected")
        rejected = time.monotonic()
        asked = len(rejecting.connections)
        rejecting.rejection = None

        rejecting.wait_for("extension", timeout=20)

        assert time.monotonic() - rejected > TENTH["rejectionPause"] / 1000 * 0.8
        assert rejecting.connections[asked - 1].close_code is not None
        assert len(rejecting.connections) <= asked + 2, "one try a source, after the pause"

    def test_the_pause_survives_a_recycled_worker(self, host: Extension, page: Page, rejecting) -> None:
        wait_until(lambda: len(connector(host).get("rejected", {})) == 2, "both sources were rejected")
        asked = len(rejecting.connections)
        began = time.monotonic()
        host.worker.stop()
        host.side_panel(page)
        host.worker.wait_running()
        wait_until(lambda: len(rejecting.connections) > asked, "it is asked again", timeout=20)
        assert time.monotonic() - began > 1.5, (
            "neither the fresh worker nor the panel's opening asks before the time"
        )

    def test_reconnect_by_the_person_asks_at_once_and_shows_the_reason(
        self, host, page: Page, rejecting
    ) -> None:
        panel = host.side_panel(page)
        panel.get_by_test_id("view-relay").click()
        panel.locator("[data-testid=relay-state][data-phase=rejected]").wait_for()
        assert "not allowed here" in panel.get_by_test_id("relay-source").first.inner_text()
        rejecting.rejection = None
        panel.get_by_test_id("relay-reconnect").click()
        panel.locator("[data-testid=relay-state][data-phase=connected]").wait_for()


def test_a_peer_without_accepted_is_a_full_relay(
    host: Extension, page: Page, html_app, relay_ports: range
) -> None:
    page.goto(html_app.page(lab=""))
    with ScriptedRelay(relay_ports[0], accepts=False) as peer:
        host.storage.set(
            {
                "relaySettings": {
                    "enabled": True,
                    "host": "127.0.0.1",
                    "ports": [relay_ports[0], relay_ports[1]],
                }
            }
        )
        source = wait_until(
            lambda: next(one for one in peer.connections if "echo" in (one.tools or ())), "the page's source"
        )
        assert source.call("echo", {"text": "old peer"})["content"][0]["text"] == "old peer"
