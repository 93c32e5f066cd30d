"""The relay goes and comes; nobody touches the browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.services.scripted_relay import ScriptedRelay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.reconnect"),
    pytest.mark.webmcp_runtime("native"),
]


class TestRestart:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        """Alarms at a tenth and less: on a slow machine the relay may come up after the five tries."""
        return {"alarmFirst": 1_000, "alarmSecond": 1_000, "alarmRest": 1_000}

    @pytest.mark.conformance("relay")
    def test_tools_are_back_after_each_of_three_restarts(self, chain: Chain) -> None:
        for number in range(3):
            chain.relay.restart()
            chain.wait_ready("echo", timeout=40)
            said = f"after restart {number}"
            assert chain.call("echo", {"text": said})["content"][0]["text"] == said

        tabs = [source["tabId"] for source in chain.relay.sources()]
        assert len(tabs) == len(set(tabs)), "one source a tab"
        assert [one.tool for one in chain.html_app.invocations] == ["echo"] * 3, "each call ran once"


class TestDormancy:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {
            "reconnectFirst": 50, "reconnectMax": 300, "alarmFirst": 3_000, "alarmSecond": 6_000, "alarmRest": 6_000,
        }  # fmt: skip

    def test_a_relay_that_was_away_for_long_is_found_by_an_alarm_with_the_worker_asleep(
        self, chain: Chain
    ) -> None:
        chain.relay.close()
        wait_until(lambda: waits_for_an_alarm(chain.host), "the tries are over and an alarm is set")
        chain.host.worker.stop()
        generation = chain.host.worker.generation

        chain.relay.start()

        chain.wait_ready("echo", timeout=40)
        assert chain.call("echo", {"text": "awake"})["content"][0]["text"] == "awake"
        assert chain.host.worker.generation > generation, "the alarm started the worker"


def waits_for_an_alarm(host: Extension) -> Any:
    return (host.storage.get("relayConnector", area="session") or {}).get("waiting")


class TestRejection:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"rejectionPause": 4_000, "reconnectFirst": 50, "reconnectMax": 300}

    def test_a_rejected_source_waits_before_it_asks_again(
        self, scripted_relay: ScriptedRelay, host: Extension, page: Page, html_app: HtmlApp
    ) -> None:
        scripted_relay.rejection = "closed for today"
        page.goto(html_app.page(lab=""))
        tab_id = wait_until(lambda: rejected(scripted_relay), "the first rejection")[0].tab_id

        wait_until(lambda: len(rejected(scripted_relay, tab_id)) == 2, "it asks again", timeout=40)

        first, second = rejected(scripted_relay, tab_id)
        assert second.opened_at - first.opened_at >= 4


def rejected(relay: ScriptedRelay, tab_id: str | None = None) -> list[Any]:
    """Connections that were rejected, of one source or of all."""
    ended = (one for one in relay.connections if one.hello is not None and one.close_code == 1008)
    return [one for one in ended if tab_id in (None, one.tab_id)]


def test_both_ends_of_a_restart_keep_one_socket_a_tab(chain: Chain, relay: Relay) -> None:
    """A call in flight when the relay dies ends, and the page is not asked again by the next relay."""
    asked = relay.call_soon("slow", {"ms": 2_000})
    chain.html_app.wait_for_invocations(1)
    relay.restart()
    assert asked.exception(timeout=10) is not None or asked.result().is_error
    chain.wait_ready("echo", timeout=60)
    assert chain.call("echo", {"text": "next"})["content"][0]["text"] == "next"
    assert [one.tool for one in chain.html_app.invocations] == ["slow", "echo"]
