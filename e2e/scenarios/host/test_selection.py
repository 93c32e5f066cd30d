"""``relayTabSelection``: one owner, and what changes it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.contract import TAB_SELECTION_KEY
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.scripted_relay import ScriptedRelay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.sw.selection"),
    pytest.mark.webmcp_runtime("native"),
]


def stored(host: Extension) -> list[int] | None:
    """The selection as every part of the extension reads it."""
    value: dict[str, Any] | None = host.storage.get(TAB_SELECTION_KEY, area="session")
    return None if value is None else list(value["tabIds"])


def wait_for_selection(host: Extension, expected: list[int]) -> None:
    wait_until(lambda: stored(host) == expected, f"the selection is {expected}")


@pytest.fixture
def desk(page: Page, html_app: HtmlApp) -> Page:
    """The page of the test, on the order desk."""
    page.goto(html_app.page(lab=""))
    return page


@pytest.fixture
def second(context: BrowserContext, desk: Page, html_app: HtmlApp) -> Page:
    """Another tab, opened later and so the active one."""
    page = context.new_page()
    page.goto(html_app.page("plain.html"))
    return page


def test_first_start_selects_the_active_tab_of_the_last_focused_window(host, desk, tab_id) -> None:
    wait_for_selection(host, [tab_id(desk)])


def test_reload_begins_again_with_the_active_tab(host, desk, second, tab_id, select) -> None:
    select(desk)
    host.reload()
    wait_for_selection(host, [tab_id(second)])


def test_opening_the_panel_selects_its_windows_active_tab(host, desk, second, tab_id, select) -> None:
    select(desk)
    host.side_panel(second)
    wait_for_selection(host, [tab_id(second)])


def test_reopening_the_panel_resets_the_selection(host, desk, second, tab_id, select) -> None:
    host.side_panel(second)
    wait_for_selection(host, [tab_id(second)])
    ids = select(desk, second)
    wait_for_selection(host, ids)

    host.close_side_panel(second)
    assert stored(host) == ids, "closing the panel changes nothing"
    host.side_panel(second)

    wait_for_selection(host, [tab_id(second)])


def test_a_panel_that_reconnects_is_no_opening(host, desk, second, tab_id, select) -> None:
    panel = host.side_panel(second)
    wait_for_selection(host, [tab_id(second)])
    ids = select(desk)
    wait_for_selection(host, ids)
    generation = host.worker.generation

    host.worker.stop()
    expect(panel.get_by_test_id("relay-badge")).to_have_attribute("data-phase", "asleep")
    panel.get_by_test_id("view-relay").click()
    panel.get_by_test_id("relay-reconnect").click()
    expect(panel.get_by_test_id("relay-badge")).to_have_attribute("data-phase", "off")

    assert host.worker.generation == generation + 1
    assert stored(host) == ids


def test_a_tab_with_a_call_in_flight_stays_selected(
    host, scripted_relay: ScriptedRelay, desk, second, html_app, tab_id, select
) -> None:
    ids = select(desk)
    source = scripted_relay.wait_for(ids[0], "slow")
    call = source.invoke("slow", {"ms": 60_000})
    html_app.wait_for_invocations(1)

    panel = host.side_panel(second)
    expect(panel.locator("[data-testid=source-tab]")).to_have_attribute("data-tab-id", str(ids[0]))
    assert stored(host) == ids

    source.send({"type": "cancel", "callId": call})
    source.result(call)
    host.close_side_panel(second)
    host.side_panel(second)
    wait_for_selection(host, [tab_id(second)])


def test_the_selection_survives_recycling(host, scripted_relay: ScriptedRelay, desk, second, select) -> None:
    ids = select(desk)
    before = scripted_relay.wait_for(ids[0], "echo")

    host.worker.stop()

    wait_until(lambda: not before.is_open, "the socket of the stopped worker is gone")
    again = scripted_relay.wait_for(ids[0], "echo")
    assert again is not before
    assert stored(host) == ids
    assert {one.tab_id for one in scripted_relay.connections if one.is_open} == {str(ids[0]), "extension"}


def test_a_closed_tab_leaves(host, scripted_relay: ScriptedRelay, desk, second, select) -> None:
    ids = select(desk, second)
    source = scripted_relay.wait_for(ids[1])

    second.close()

    wait_for_selection(host, ids[:1])
    wait_until(lambda: source.close_code == 1000, "its socket ends with 1000")
    assert scripted_relay.wait_for(ids[0]).is_open


def test_a_tab_closed_while_the_worker_is_stopped_leaves_too(host, desk, second, select) -> None:
    ids = select(desk, second)
    wait_for_selection(host, ids)
    host.worker.stop()
    second.close()
    wait_for_selection(host, ids[:1])


def test_a_discarded_tab_stays_selected_under_its_new_id(host, desk, second, select) -> None:
    ids = select(desk)
    wait_for_selection(host, ids)

    new_id = host.worker.evaluate("async (id) => (await chrome.tabs.discard(id)).id", ids[0])

    assert new_id != ids[0]
    wait_for_selection(host, [new_id])


def test_a_tab_without_content_script_is_selected_and_says_why_it_has_no_tools(
    host, context: BrowserContext, desk, tab_id
) -> None:
    bare = context.new_page()
    bare.goto("chrome://version")
    panel = host.side_panel(bare)
    wait_for_selection(host, [tab_id(bare)])

    source = panel.locator("[data-testid=source-tab]")
    expect(source).to_have_attribute("data-state", "none")
    expect(source.get_by_test_id("page-state")).to_contain_text("No content script runs in this tab")
    expect(source.get_by_test_id("tool-count")).to_have_text("Tools: 0")


def test_the_person_picks_tabs_in_the_panel(host, desk, second, tab_id) -> None:
    panel = host.side_panel(second)
    wait_for_selection(host, [tab_id(second)])
    panel.get_by_test_id("view-tabs").click()
    panel.locator(f"[data-testid=tab-choice][data-tab-id='{tab_id(desk)}']").check()
    wait_for_selection(host, [tab_id(second), tab_id(desk)])
    panel.locator(f"[data-testid=tab-choice][data-tab-id='{tab_id(second)}']").uncheck()
    wait_for_selection(host, [tab_id(desk)])
    panel.get_by_test_id("view-tools").click()
    expect(panel.locator("[data-testid=source-tab]")).to_have_attribute("data-tab-id", str(tab_id(desk)))
