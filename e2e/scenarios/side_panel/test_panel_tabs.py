"""All tabs of the real panel, and what stays when one goes from tab to tab, closes the panel, or loses the worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from panel_tabs import PATIENCE, TABS, call_by_hand, card, content, open_card, show, tab
from playwright.sync_api import Locator, Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.requirement("panel.tabs"), pytest.mark.webmcp_runtime("native")]

SIGNS: dict[str, Callable[[Locator], Locator]] = {
    "chat": lambda shown: shown.get_by_role("textbox", name="Message"),
    "tools": lambda shown: shown.get_by_role("searchbox", name="Filter tools"),
    "relay": lambda shown: shown.get_by_role("form", name="Relay settings"),
    "tabs": lambda shown: shown.get_by_role("region", name="Selected"),
    "a2a": lambda shown: shown.get_by_role("button", name="Add agent"),
    "settings": lambda shown: shown.get_by_role("region", name="Settings file"),
    "providers": lambda shown: shown.get_by_role("form", name="Add a provider"),
}
"""By what a person knows that a tab is there."""

CALLS_KEPT = 100


def expect_chosen(panel: Page, name: str) -> None:
    """Exactly this tab is chosen, and its content alone is shown."""
    expect(tab(panel, name)).to_have_attribute("aria-selected", "true")
    expect(SIGNS[name](content(panel, name)).first).to_be_visible(timeout=PATIENCE)
    assert panel.locator("[role=tab][aria-selected=true]").count() == 1
    assert panel.locator("[role=tabpanel]:visible").count() == 1


def test_each_tab_is_reached_and_the_last_one_comes_back(
    host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page(lab=""))
    panel = host.side_panel(page)
    expect_chosen(panel, "tools")
    for name in TABS:
        tab(panel, name).click()
        expect_chosen(panel, name)

    tab(panel, "tools").focus()
    panel.keyboard.press("End")
    expect(tab(panel, "providers")).to_be_focused()
    panel.keyboard.press("ArrowRight")
    expect_chosen(panel, "chat")
    panel.keyboard.press("ArrowLeft")
    panel.keyboard.press("Home")
    expect(tab(panel, "chat")).to_be_focused()
    assert panel.locator("[role=tab][tabindex='0']").count() == 1

    show(panel, "settings")
    host.close_side_panel(page)
    host.worker.stop()
    expect_chosen(host.side_panel(page), "settings")


def test_a_tab_goes_on_while_another_one_is_shown(host: Extension, page: Page, html_app: HtmlApp) -> None:
    page.goto(html_app.page(lab=""))
    panel = host.side_panel(page)
    call_by_hand(panel, "slow", {"ms": 60_000})
    html_app.wait_for_invocations(1)
    open_card(card(panel, "echo")).get_by_label("text").fill("half typed")
    show(panel, "relay")
    show(panel, "tools")
    expect(card(panel, "echo").get_by_label("text")).to_have_value("half typed")

    show(panel, "settings")
    page.evaluate("document.modelContext.registerTool({name: 'later', description: 'd', execute: () => 1})")
    show(panel, "tools")
    expect(card(panel, "later")).to_be_visible()
    expect(card(panel, "echo").get_by_label("text")).to_have_value("half typed")
    card(panel, "slow").get_by_test_id("tool-cancel").click()
    expect(card(panel, "slow").get_by_test_id("error-code")).to_have_text("cancelled")
    html_app.wait_for_outcome(1, "aborted")


class TestTheRelayTab:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        """The extension by itself tries again so late that it is the button that reconnects."""
        return {"reconnectFirst": 60_000, "reconnectMax": 60_000}

    def test_the_relay_tab_shows_each_source_and_the_calls_as_they_come(self, chain: Chain) -> None:
        panel = chain.host.side_panel(chain.page)
        relay = show(panel, "relay")
        expect(relay.get_by_test_id("relay-state")).to_have_attribute(
            "data-phase", "connected", timeout=PATIENCE
        )
        expect(relay.get_by_test_id("relay-endpoint")).to_have_text(f"127.0.0.1:{chain.relay.port}")
        expect(relay.get_by_test_id("no-relay-calls")).to_be_visible()
        sources = relay.get_by_test_id("relay-source")
        expect(sources).to_have_count(2)
        desk = sources.filter(has_text="Order desk")
        expect(desk).to_have_attribute("data-up", "true")
        expect(desk).to_contain_text("Tools: 14")

        calls = relay.get_by_test_id("relay-call")
        chain.call("always_fail")
        chain.call("sum", {"a": "no", "b": 1})
        expect(calls.nth(0)).to_have_attribute("data-outcome", "invalid_args")
        expect(calls.nth(0)).to_contain_text('"a":"no"')
        expect(calls.nth(1)).to_have_attribute("data-outcome", "page_error")
        for _ in range(CALLS_KEPT - 1):
            chain.relay.call("get_status", {})
        expect(relay.get_by_test_id("relay-call-count")).to_have_text(str(CALLS_KEPT))
        expect(calls.first).to_have_attribute("data-outcome", "ok")
        expect(calls.last).to_have_attribute("data-tool", "sum")

        # The panel keeps what it was told by a worker that is gone.
        before = chain.host.worker.generation
        chain.host.worker.stop()
        wait_until(lambda: chain.host.worker.generation > before, "the worker is back by itself")
        expect(relay.get_by_test_id("relay-state")).to_have_attribute(
            "data-phase", "connected", timeout=PATIENCE
        )
        expect(relay.get_by_test_id("relay-call-count")).to_have_text(str(CALLS_KEPT))
        chain.relay.kill()
        expect(relay.get_by_test_id("relay-state")).not_to_have_attribute(
            "data-phase", "connected", timeout=PATIENCE
        )
        chain.relay.start()
        relay.get_by_role("button", name="Reconnect").click()
        expect(relay.get_by_test_id("relay-state")).to_have_attribute(
            "data-phase", "connected", timeout=PATIENCE
        )


def test_the_data_source_tab_has_the_selected_tabs_on_top(
    host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page("plain.html"))
    desk = page.context.new_page()
    desk.goto(html_app.page(lab=""))
    panel = host.side_panel(desk)
    shown = show(panel, "tabs")
    selected = shown.get_by_role("region", name="Selected").get_by_role("checkbox")
    others = shown.get_by_role("region", name="Other tabs").get_by_role("checkbox")
    expect(selected).to_have_count(1)
    expect(shown.get_by_role("region", name="Selected")).to_contain_text("Order desk")
    expect(shown.get_by_role("region", name="Selected")).to_contain_text("Tools: 14")

    others.first.click()
    expect(selected).to_have_count(2)
    expect(others).to_have_count(0)
    selected.first.focus()
    panel.keyboard.press("Space")
    expect(selected).to_have_count(1)
    expect(others.first).to_be_focused()
    selected.first.click()
    expect(shown.get_by_test_id("no-selection")).to_be_visible()
    assert host.storage.get("relayTabSelection", area="session") == {"tabIds": []}

    tools = show(panel, "tools")
    expect(tools.get_by_test_id("source-tab")).to_have_count(0)
    tools.get_by_role("button", name="Choose tabs").click()
    expect(tab(panel, "tabs")).to_have_attribute("aria-selected", "true")
