"""One notification a change, none when idle."""

from __future__ import annotations

import pytest

from webmcp_e2e.chain import Chain
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.list-changed"),
    pytest.mark.webmcp_runtime("native"),
]
CHANGED = "notifications/tools/list_changed"


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    """Heartbeats at a thirtieth: three of them are the idle time of this file."""
    return {"heartbeatPing": 500, "heartbeatDead": 30_000}


def heard_of(chain: Chain) -> float:
    return float(max(source["lastSeenAt"] for source in chain.relay.sources()))


def three_heartbeats(chain: Chain) -> None:
    for _ in range(3):
        before = heard_of(chain)
        wait_until(lambda before=before: heard_of(chain) > before, "a heartbeat", timeout=40)


@pytest.mark.conformance("relay")
def test_each_change_is_told_once(chain: Chain) -> None:
    three_heartbeats(chain)
    told = chain.relay.notifications[CHANGED]

    chain.call("register_more", {"n": 1})
    wait_until(lambda: "more_1" in chain.relay.page_tools(), "the new tool is listed")
    assert chain.relay.wait_for_notification(CHANGED, told + 1)
    three_heartbeats(chain)

    assert chain.relay.notifications[CHANGED] == told + 1


@pytest.mark.conformance("relay")
def test_idling_tells_nothing(chain: Chain) -> None:
    three_heartbeats(chain)
    told = chain.relay.notifications[CHANGED]
    chain.call("echo", {"text": "a call is no change"})
    chain.page.evaluate("document.title = 'another title'")
    three_heartbeats(chain)
    assert chain.relay.notifications[CHANGED] == told


def test_a_burst_is_few_notifications_and_the_last_list_is_right(chain: Chain) -> None:
    three_heartbeats(chain)
    told = chain.relay.notifications[CHANGED]

    chain.call("register_more", {"n": 30})
    wait_until(lambda: "more_30" in chain.relay.page_tools(), "all of them are listed")
    three_heartbeats(chain)

    assert told < chain.relay.notifications[CHANGED] <= told + 30
    assert {f"more_{n}" for n in range(1, 31)} <= chain.relay.page_tools()


@pytest.mark.conformance("relay")
def test_a_tool_that_removes_itself_gives_its_result_and_then_the_change(chain: Chain) -> None:
    three_heartbeats(chain)
    told = chain.relay.notifications[CHANGED]
    assert chain.call("unregister_self")["content"][0]["text"] == "unregistered"
    wait_until(lambda: "unregister_self" not in chain.relay.page_tools(), "it is gone")
    assert chain.relay.wait_for_notification(CHANGED, told + 1)
