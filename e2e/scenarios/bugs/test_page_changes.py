"""Reports about pages whose tools change, go, come back, or wait for a person."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.contract import ERROR_META
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.webmcp_runtime("native")]
CHANGED = "notifications/tools/list_changed"
PANEL_TOOLS = "name => lumoPanel.tools().some((tool) => tool.endsWith('__' + name))"


@pytest.mark.bug("B07", "B15")
@pytest.mark.requirement("chain.relay.list-changed")
class TestChanges:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        """Three heartbeats are the quiet in which nothing may be told."""
        return {"heartbeatPing": 500, "heartbeatDead": 30_000}

    def test_one_change_is_told_once_to_panel_and_client_and_then_there_is_silence(
        self, chain: Chain
    ) -> None:
        panel = chain.host.side_panel(chain.page)
        panel.wait_for_function(PANEL_TOOLS, arg="echo")
        _three_heartbeats(chain)
        told = chain.relay.notifications[CHANGED]
        chain.call("register_more", {"n": 1})
        panel.wait_for_function(PANEL_TOOLS, arg="more_1")
        wait_until(lambda: "more_1" in chain.relay.page_tools(), "the client lists the new tool")
        _three_heartbeats(chain)
        assert chain.relay.notifications[CHANGED] == told + 1


def _three_heartbeats(chain: Chain) -> None:
    def heard() -> float:
        return float(max(source["lastSeenAt"] for source in chain.relay.sources()))

    for _ in range(3):
        before = heard()
        wait_until(lambda before=before: heard() > before, "a heartbeat")


@pytest.mark.bug("B08")
@pytest.mark.requirement("chain.relay.handshake")
def test_a_tab_without_tools_is_a_source_with_none(
    relay: Relay, host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page("plain.html"))

    def source() -> dict[str, object] | None:
        found = (one for one in relay.sources() if one.get("url") == page.url)
        return next(found, None)

    assert wait_until(source, "the tab is listed")["toolCount"] == 0


@pytest.mark.bug("B10")
@pytest.mark.requirement("chain.nav.bfcache")
def test_tools_work_after_back_and_after_forward(chain: Chain) -> None:
    page, app = chain.page, chain.html_app
    page.add_init_script("addEventListener('pageshow', (event) => { window.restored = event.persisted; })")
    page.reload()
    chain.wait_ready("echo")
    page.goto(app.page("views/orders"))
    chain.wait_ready("orders_where")
    for go, tool in ((page.go_back, "echo"), (page.go_forward, "orders_where"), (page.go_back, "echo")):
        go(wait_until="commit")
        assert page.evaluate("window.restored"), "it came out of the cache, else this proves nothing"
        chain.wait_ready(tool)
        assert not chain.call(tool, {"text": "back"} if tool == "echo" else {}).get("isError")
    assert [one.tool for one in app.invocations] == ["echo", "orders_where", "echo"]


@pytest.mark.bug("B11")
@pytest.mark.requirement("chain.nav.pending")
def test_the_old_pages_tools_are_gone_before_the_new_page_can_be_called(chain: Chain) -> None:
    chain.page.goto(chain.html_app.page("views/orders"))
    chain.wait_ready("orders_where")
    assert "echo" not in chain.relay.page_tools()
    assert chain.relay.call("echo", {"text": "into the past"}).is_error
    assert chain.html_app.invocations == []


@pytest.mark.bug("B12")
@pytest.mark.requirement("chain.relay.list-changed")
def test_a_tool_that_unregisters_itself_gives_its_result_first(chain: Chain) -> None:
    told = chain.relay.notifications[CHANGED]
    assert chain.call("unregister_self")["content"][0]["text"] == "unregistered"
    assert chain.relay.wait_for_notification(CHANGED, told + 1)
    wait_until(lambda: "unregister_self" not in chain.relay.page_tools(), "then it is gone")


@pytest.mark.bug("B13")
@pytest.mark.requirement("chain.main.declarative")
class TestFormsThatWait:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"formWait": 1_000}

    def test_a_form_that_nobody_submits_ends_with_a_reason(
        self, open_page: Callable[..., None], relay: Relay, page: Page, html_app: HtmlApp
    ) -> None:
        open_page("declarative.html", "note_order")
        result = relay.call("note_order", {"order": "SO-1003", "note": "too late"})
        assert result.meta is not None
        assert result.meta[ERROR_META] == {"code": "waiting_for_user", "executed": "no"}
        page.get_by_role("button", name="Send the note").click()
        html_app.wait_for_invocations(1)
        assert not relay.call("find_order", {"order": "SO-1001"}).is_error, (
            "the dead call took nobody's answer"
        )


@pytest.mark.bug("B14")
@pytest.mark.requirement("chain.relay.list-changed")
def test_the_client_hears_of_a_single_page_navigation(
    open_page: Callable[..., None], relay: Relay, page: Page, html_app: HtmlApp
) -> None:
    open_page("views/orders", "orders_where")
    told = relay.notifications[CHANGED]
    page.get_by_role("link", name="Customers").click()
    assert relay.wait_for_notification(CHANGED, told + 1)
    wait_until(lambda: "customers_where" in relay.page_tools(), "the new view's tool is listed")
    assert "orders_where" not in relay.page_tools()
    assert not relay.call("customers_where").is_error
    expect(page).to_have_url(html_app.page("views/customers"))


@pytest.mark.bug("B18")
@pytest.mark.requirement("chain.main.frames")
def test_a_call_reaches_the_addressed_frame_alone(
    open_page: Callable[..., None], relay: Relay, html_app: HtmlApp
) -> None:
    open_page("frames.html", "same_where")
    for _ in range(3):
        relay.call("same_where")
        relay.call("top_where")
    assert [(one.tool, one.frame == "top") for one in html_app.invocations] == [
        ("same_where", False),
        ("top_where", True),
    ] * 3
