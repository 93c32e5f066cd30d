"""What the browser does with the frames of a relay."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.contract import ERROR_META
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.scripted_relay import ScriptedRelay, SourceConnection
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.webmcp_runtime("native")

PEER_LIMIT = 1_000_000


@pytest.fixture
def source(
    scripted_relay: ScriptedRelay, host: Extension, page: Page, html_app: HtmlApp, select
) -> SourceConnection:
    """The lab page's source."""
    page.goto(html_app.page(lab=""))
    [chosen] = select(page)
    return scripted_relay.wait_for(chosen, "echo")


def error_of(result: dict) -> tuple[str, str]:
    assert result["isError"] is True
    error = result["_meta"][ERROR_META]
    assert result["content"][0]["text"].startswith(f"{error['code']}: ")
    return error["code"], error["executed"]


@pytest.mark.requirement("chain.relay.heartbeat")
def test_every_socket_answers_every_ping(scripted_relay: ScriptedRelay, source: SourceConnection) -> None:
    for one in (source, scripted_relay.wait_for("extension")):
        for count in (1, 2, 3):
            one.send({"type": "ping"})
            wait_until(
                lambda one=one, count=count: one.frames.count({"type": "pong"}) == count, f"{count} pongs"
            )


@pytest.mark.requirement("chain.relay.heartbeat")
def test_a_call_in_flight_holds_no_pong_back(source: SourceConnection, html_app: HtmlApp) -> None:
    call = source.invoke("slow", {"ms": 3_000})
    html_app.wait_for_invocations(1)
    source.send({"type": "ping"})
    wait_until(lambda: {"type": "pong"} in source.frames, "the pong")
    assert not any(frame.get("callId") == call for frame in source.frames), "the call still runs"


@pytest.mark.requirement("chain.relay.handshake")
def test_hello_and_tools_come_together_and_say_what_the_browser_knows(source, page: Page) -> None:
    assert [frame["type"] for frame in source.frames[:2]] == ["hello", "tools/list"]
    assert source.hello["url"] == page.url
    assert source.hello["title"] == page.title()
    assert source.hello["origin"] == page.evaluate("location.origin")


@pytest.mark.requirement("chain.relay.handshake")
def test_a_navigation_empties_the_list_and_says_hello_again(source, page: Page, html_app: HtmlApp) -> None:
    seen = len(source.frames)
    page.goto(html_app.page("declarative.html"))
    wait_until(lambda: "find_order" in (source.tools or ()), "the new page's tools")

    later = source.frames[seen:]
    lists = [[tool["name"] for tool in frame["tools"]] for frame in later if frame["type"] == "tools/changed"]
    assert lists[0] == [], "the old page's tools go first"
    wait_until(lambda: source.hello["url"] == page.url, "a hello with the new URL")
    assert source.is_open


@pytest.mark.requirement("chain.relay.handshake")
def test_nonsense_costs_neither_socket_nor_calls(source: SourceConnection) -> None:
    for nonsense in ("no json", "[]", "null", '{"type": 7}', '{"type":"unknown"}', '{"noType":true}'):
        source.send(nonsense)
    assert source.call("echo", {"text": "unharmed"})["content"][0]["text"] == "unharmed"


@pytest.mark.requirement("chain.relay.handshake")
def test_reload_reloads_the_tab(source: SourceConnection, page: Page) -> None:
    with page.expect_navigation():
        source.send({"type": "reload"})


@pytest.mark.requirement("chain.relay.payload")
def test_a_result_over_a_peers_limit_is_too_large_and_the_socket_stays(source: SourceConnection) -> None:
    """No ``maxPayload`` in the hello: the browser assumes 1,000,000."""
    beside = source.invoke("slow", {"ms": 500})
    assert error_of(source.call("big", {"bytes": PEER_LIMIT})) == ("too_large", "yes")
    assert not source.call("big", {"bytes": PEER_LIMIT - 1_000}).get("isError")
    assert not source.result(beside).get("isError"), "the call beside it is unharmed"
    assert source.is_open


@pytest.mark.requirement("chain.relay.cancel")
def test_cancel_reaches_the_page_and_answers(source: SourceConnection, html_app: HtmlApp) -> None:
    call = source.invoke("slow", {"ms": 60_000})
    html_app.wait_for_invocations(1)
    source.send({"type": "cancel", "callId": call})
    assert error_of(source.result(call))[0] == "cancelled"
    html_app.wait_for_outcome(1, "aborted")


class TestDeadline:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"browserDeadline": 1_000}

    @pytest.mark.requirement("chain.relay.cancel")
    def test_the_deadline_answers_and_aborts_the_page(
        self, source: SourceConnection, html_app: HtmlApp
    ) -> None:
        call = source.invoke("slow", {"ms": 60_000})
        assert error_of(source.result(call)) == ("timeout", "unknown")
        html_app.wait_for_outcome(1, "aborted")
