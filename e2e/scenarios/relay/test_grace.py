"""The worker is ended in the middle of relay traffic."""

from __future__ import annotations

import pytest
from relay_kit import ErrorOf

from webmcp_e2e.chain import Chain
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.grace"),
    pytest.mark.webmcp_runtime("native"),
]


def reconnecting(chain: Chain) -> bool:
    return any(source["state"] == "reconnecting" for source in chain.relay.sources())


def fall(chain: Chain, error_of: ErrorOf) -> None:
    """End the worker while a call is in flight: its outcome proves that the relay has seen the socket fall."""
    asked = chain.relay.call_soon("slow", {"ms": 20_000})
    chain.html_app.wait_for_invocations(len(chain.html_app.invocations) + 1)
    chain.host.worker.stop()
    assert error_of(asked.result(timeout=15)) == ("source_disconnected", "unknown")


def echoed(chain: Chain) -> list[str]:
    return [one.args["text"] for one in chain.html_app.invocations if one.tool == "echo"]


def test_a_call_in_the_gap_succeeds_and_nothing_runs_twice(chain: Chain, error_of: ErrorOf) -> None:
    for number in range(5):
        fall(chain, error_of)
        said = f"in gap {number}"
        assert chain.call("echo", {"text": said})["content"][0]["text"] == said

    assert echoed(chain) == [f"in gap {number}" for number in range(5)]
    assert [one.tool for one in chain.html_app.invocations] == ["slow", "echo"] * 5


def test_calls_before_during_and_after_a_stop_each_have_one_outcome(chain: Chain, error_of: ErrorOf) -> None:
    before = [chain.relay.call_soon("slow", {"ms": 20_000}) for _ in range(3)]
    chain.html_app.wait_for_invocations(3)
    fall(chain, error_of)
    during = [chain.relay.call_soon("echo", {"text": str(n)}) for n in range(8)]

    assert {error_of(one.result(timeout=15)) for one in before} == {("source_disconnected", "unknown")}
    assert [one.result(timeout=30).content[0].text for one in during] == [str(n) for n in range(8)]
    assert sorted(echoed(chain)) == [str(n) for n in range(8)]


def test_tools_stay_listed_over_a_recycle(chain: Chain, error_of: ErrorOf) -> None:
    changed = "notifications/tools/list_changed"
    chain.call("slow", {"ms": 200})  # longer than changes are gathered for: what was to be told has been told
    listed = chain.relay.page_tools()
    told = chain.relay.notifications[changed]

    fall(chain, error_of)
    assert chain.relay.page_tools() == listed
    chain.call("echo", {"text": "back"})

    assert chain.relay.page_tools() == listed
    assert chain.relay.notifications[changed] == told, "nothing changed, nobody was told"


class TestShortGrace:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"sourceGrace": 1_000, "reconnectFirst": 60_000, "reconnectMax": 60_000}

    def test_a_tab_that_is_closed_leaves_no_grace(self, chain: Chain) -> None:
        chain.page.close()
        wait_until(lambda: "echo" not in chain.relay.page_tools(), "the closed tab's tools are gone")
        assert not reconnecting(chain)
