"""A second relay joins the first and takes over when it goes, with a real browser between them."""

from __future__ import annotations

import pytest
from relay_kit import ErrorOf

from webmcp_e2e.chain import Chain
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.two"),
    pytest.mark.webmcp_runtime("native"),
]


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    return {"alarmFirst": 1_000, "alarmSecond": 1_000, "alarmRest": 1_000}


def test_both_clients_list_and_call_the_same_page(chain: Chain, second_relay: Relay) -> None:
    wait_until(lambda: second_relay.page_tools() == chain.relay.page_tools(), "both list the same tools")

    asked = [
        relay.call_soon("echo", {"text": str(n)}) for n, relay in enumerate([chain.relay, second_relay] * 5)
    ]

    assert [one.result(timeout=30).content[0].text for one in asked] == [str(n) for n in range(10)]
    assert len(chain.html_app.invocations) == 10
    mine, theirs = chain.relay.tools()["echo"], second_relay.tools()["echo"]
    assert mine.description == theirs.description


@pytest.mark.conformance("relay")
def test_the_second_takes_over_and_calls_through_the_first_end(
    chain: Chain, second_relay: Relay, error_of: ErrorOf
) -> None:
    wait_until(lambda: "slow" in second_relay.page_tools(), "the second has joined")
    asked = second_relay.call_soon("slow", {"ms": 20_000})
    chain.html_app.wait_for_invocations(1)

    chain.relay.kill()

    assert error_of(asked.result(timeout=15)) == ("relay_gone", "unknown")
    wait_until(lambda: "echo" in second_relay.page_tools(), "the browser came to the second", timeout=40)
    assert second_relay.call("echo", {"text": "taken over"}).content[0].text == "taken over"
    assert [one.tool for one in chain.html_app.invocations] == ["slow", "echo"]


def test_the_first_goes_on_when_the_second_dies_and_cancels_what_it_had_asked(
    chain: Chain, second_relay: Relay
) -> None:
    wait_until(lambda: "slow" in second_relay.page_tools(), "the second has joined")
    second_relay.call_soon("slow", {"ms": 20_000})
    chain.html_app.wait_for_invocations(1)

    second_relay.kill()

    chain.html_app.wait_for_outcome(1, "aborted", timeout=15)
    assert chain.call("echo", {"text": "alone"})["content"][0]["text"] == "alone"


@pytest.mark.conformance("relay", level="should")
def test_a_cancel_goes_through_both(chain: Chain, second_relay: Relay) -> None:
    wait_until(lambda: "slow" in second_relay.page_tools(), "the second has joined")
    asked = second_relay.call_soon("slow", {"ms": 20_000})
    chain.html_app.wait_for_invocations(1)
    asked.cancel()
    chain.html_app.wait_for_outcome(1, "aborted", timeout=15)
