"""The panel calls the page straight through the content script; the worker is not in the path."""

from __future__ import annotations

import pytest
from panel_tabs import call_by_hand, card, open_card, type_json
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.panel.path"),
    pytest.mark.webmcp_runtime("native"),
]


@pytest.fixture
def lab(page: Page, html_app: HtmlApp) -> Page:
    page.goto(html_app.page(lab=""))
    return page


@pytest.fixture
def panel(host: Extension, lab: Page) -> Page:
    """The real panel beside the lab page, its tools listed."""
    panel = host.side_panel(lab)
    expect(panel.locator("[data-testid=source-tab][data-state=ready]")).to_have_count(1)
    return panel


def test_a_person_calls_a_tool_and_reads_its_result(panel: Page, html_app: HtmlApp) -> None:
    called = call_by_hand(panel, "sum", {"a": 20, "b": 22})
    expect(called.get_by_test_id("tool-result")).to_contain_text("42")
    assert [(one.tool, one.args) for one in html_app.invocations] == [("sum", {"a": 20, "b": 22})]


def test_it_can_be_done_by_keyboard_alone(panel: Page) -> None:
    echo = card(panel, "echo")
    echo.locator("summary").focus()
    panel.keyboard.press("Enter")
    expect(echo.get_by_role("button", name="Form")).to_be_visible()
    for _ in ("Form", "JSON", "text"):
        panel.keyboard.press("Tab")
    expect(echo.get_by_label("text")).to_be_focused()
    panel.keyboard.type("typed")
    panel.keyboard.press("Tab")
    expect(echo.get_by_role("button", name="Call")).to_be_focused()
    panel.keyboard.press("Enter")
    expect(echo.get_by_test_id("tool-result")).to_have_text("typed")


def test_the_views_are_reached_by_arrow_keys(panel: Page) -> None:
    panel.get_by_role("tab", name="Tools").focus()
    panel.keyboard.press("ArrowRight")
    expect(panel.get_by_role("tab", name="Relay")).to_be_focused()
    expect(panel.get_by_role("form", name="Relay settings")).to_be_visible()
    panel.keyboard.press("ArrowRight")
    expect(panel.get_by_role("tab", name="Data source")).to_be_focused()
    expect(panel.get_by_role("tab", name="Data source")).to_have_attribute("aria-selected", "true")
    panel.keyboard.press("End")
    expect(panel.get_by_role("form", name="Add a provider")).to_be_visible()


def test_calls_work_with_the_worker_stopped_and_leave_it_stopped(
    panel: Page, host: Extension, html_app: HtmlApp
) -> None:
    host.worker.stop()
    generation = host.worker.generation

    called = call_by_hand(panel, "echo", {"text": "no worker"})

    expect(called.get_by_test_id("tool-result")).to_have_text("no worker")
    assert (host.worker.status, host.worker.generation) == ("stopped", generation)
    assert len(html_app.invocations) == 1


def test_a_change_of_the_tools_shows_with_the_worker_stopped(panel: Page, host: Extension, lab: Page) -> None:
    host.worker.stop()
    call_by_hand(panel, "register_more", {"n": 2})
    expect(card(panel, "more_2")).to_have_count(1)
    lab.goto(lab.url.replace("lab", "none"))
    expect(card(panel, "more_2")).to_have_count(0)
    expect(card(panel, "get_status")).to_have_count(1)
    assert host.worker.status == "stopped"


def test_the_relay_state_is_the_live_sessions(chain: Chain) -> None:
    """Never a stale "connected": with the relay gone and the worker gone the badge says so."""
    panel = chain.host.side_panel(chain.page)
    badge = panel.get_by_test_id("relay-badge")
    expect(badge).to_have_attribute("data-phase", "connected", timeout=10_000)

    chain.relay.kill()
    expect(badge).not_to_have_attribute("data-phase", "connected", timeout=10_000)
    wait_until(
        lambda: "waiting" in chain.host.storage.get("relayConnector", area="session"),
        "tries and scan have failed",
        timeout=30,
        pump=lambda seconds: panel.wait_for_timeout(seconds * 1000),
    )
    expect(badge).to_have_attribute("data-phase", "waiting")
    chain.host.worker.stop()
    expect(badge).to_have_attribute("data-phase", "asleep")

    chain.relay.start()
    panel.get_by_test_id("view-relay").click()
    panel.get_by_test_id("relay-reconnect").click()
    expect(badge).to_have_attribute("data-phase", "connected", timeout=10_000)


def test_errors_are_shown_by_code_text_and_whether_it_ran(panel: Page) -> None:
    failing = [("always_fail", {}, "page_error", "yes"), ("sum", {"a": "one", "b": 2}, "invalid_args", "no")]
    for tool, args, code, executed in failing:
        called = call_by_hand(panel, tool, args)
        expect(called.get_by_test_id("error-code")).to_have_text(code)
        expect(called.get_by_test_id("error-executed")).to_have_attribute("data-executed", executed)
        expect(called.get_by_test_id("tool-result")).to_contain_text(f"{code}: ")


def test_a_navigation_ends_the_panels_call_at_once(panel: Page, lab: Page, html_app: HtmlApp) -> None:
    panel.evaluate(
        "globalThis.call = lumoPanel.call(lumoPanel.tools().find((n) => n.endsWith('__slow')), {ms: 60000}); 0"
    )
    html_app.wait_for_invocations(1)
    lab.goto(html_app.page("plain.html"))
    result = panel.evaluate("call")
    assert result["_meta"]["webmcp-e2e/error"] == {"code": "navigated", "executed": "unknown"}


def test_cancel_ends_the_call_and_reaches_the_page(panel: Page, html_app: HtmlApp) -> None:
    called = call_by_hand(panel, "slow", {"ms": 60_000})
    html_app.wait_for_invocations(1)
    called.get_by_test_id("tool-cancel").click()
    expect(called.get_by_test_id("error-code")).to_have_text("cancelled")
    html_app.wait_for_outcome(1, "aborted")


def test_arguments_that_are_no_object_never_leave_the_panel(panel: Page, html_app: HtmlApp) -> None:
    for text in ("{", "[1]", '"text"'):
        found = card(panel, "echo")
        open_card(found)
        type_json(found, text)
        found.get_by_test_id("tool-call").click()
        expect(found.get_by_role("alert")).to_contain_text("no JSON object")
    assert html_app.invocations == []


def test_builtins_are_called_through_the_worker_which_is_woken(
    panel: Page, host: Extension, lab: Page
) -> None:
    host.worker.stop()
    tool = panel.locator("[data-testid=tool][data-tool=chrome_extension_get_selected_tabs]")
    open_card(tool)
    tool.get_by_test_id("tool-call").click()
    expect(tool.get_by_test_id("tool-result")).to_contain_text(lab.url)
