"""One websocket for each selected tab and one for the extension itself; none for any other tab."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.scripted_relay import ScriptedRelay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.sw.no-socket"),
    pytest.mark.webmcp_runtime("native"),
]


@pytest.fixture
def desk(page: Page, html_app: HtmlApp) -> Page:
    page.goto(html_app.page(lab=""))
    return page


@pytest.fixture
def second(context: BrowserContext, desk: Page, html_app: HtmlApp) -> Page:
    page = context.new_page()
    page.goto(html_app.page("declarative.html"))
    return page


def open_sources(relay: ScriptedRelay) -> list[str | None]:
    return sorted(one.tab_id or "?" for one in relay.connections if one.is_open)


def test_only_the_selected_tab_and_the_extension_have_a_socket(
    scripted_relay: ScriptedRelay, host: Extension, desk, second, select, tab_id
) -> None:
    [chosen] = select(desk)
    scripted_relay.wait_for(chosen, "echo")
    scripted_relay.wait_for("extension", "chrome_extension_list_tabs")

    assert open_sources(scripted_relay) == sorted([str(chosen), "extension"])
    assert scripted_relay.of(tab_id(second)) == [], "the other tab was never announced"


def test_selecting_opens_one_socket_and_leaves_the_others_alone(
    scripted_relay: ScriptedRelay, host: Extension, desk, second, select
) -> None:
    [first] = select(desk)
    kept = scripted_relay.wait_for(first, "echo")
    before = len(scripted_relay.connections)

    _, added = select(desk, second)
    scripted_relay.wait_for(added, "find_order")

    assert len(scripted_relay.connections) == before + 1
    assert kept.is_open


def test_deselecting_empties_the_list_and_closes_with_1000(
    scripted_relay: ScriptedRelay, host: Extension, desk, second, select
) -> None:
    first, added = select(desk, second)
    leaving = scripted_relay.wait_for(added, "find_order")
    kept = scripted_relay.wait_for(first, "echo")

    select(desk)

    wait_until(lambda: leaving.close_code == 1000, "the socket of the deselected tab ends with 1000")
    assert leaving.frames[-1] == {"type": "tools/changed", "tools": []}
    assert kept.is_open
    assert kept.call("echo", {"text": "still here"})["content"][0]["text"] == "still here"


def test_a_recycled_worker_opens_no_more_than_the_selection(
    scripted_relay: ScriptedRelay, host: Extension, desk, second, select, tab_id
) -> None:
    [chosen] = select(desk)
    scripted_relay.wait_for(chosen, "echo")
    host.worker.stop()
    wait_until(lambda: not any(one.is_open for one in scripted_relay.connections), "the old sockets are gone")

    scripted_relay.wait_for(chosen, "echo")
    scripted_relay.wait_for("extension")

    assert open_sources(scripted_relay) == sorted([str(chosen), "extension"])
    assert scripted_relay.of(tab_id(second)) == []


def test_switched_off_opens_and_probes_nothing(
    scripted_relay: ScriptedRelay, host: Extension, desk, select, relay_settings
) -> None:
    [chosen] = select(desk)
    sources = [scripted_relay.wait_for(chosen, "echo"), scripted_relay.wait_for("extension")]

    host.storage.set({"relaySettings": {**relay_settings, "enabled": False}})
    wait_until(lambda: all(one.close_code == 1000 for one in sources), "both sockets end with 1000")
    before = len(scripted_relay.connections)
    host.reload()
    panel = host.side_panel(desk)
    panel.get_by_test_id("view-relay").click()
    panel.get_by_test_id("relay-reconnect").click()
    wait_until(lambda: panel.evaluate("lumoPanel.relay()?.phase") == "off", "the panel says it is off")

    assert len(scripted_relay.connections) == before
