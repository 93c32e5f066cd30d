"""The list of providers in the real side panel: what it shows, how it is used, and what may come into it."""

from __future__ import annotations

import pytest
from chrome_watch import WATCH_CHROME
from playwright.sync_api import expect
from providers_panel import ProvidersPanel, retried

from webmcp_e2e.browser import Extension
from webmcp_e2e.lumo.rules import HOST_ERROR_TEXTS, INVALID_ID
from webmcp_e2e.lumo.scripted import ScriptedProvider
from webmcp_e2e.lumo_fixtures import MakeProvider
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.conformance("host")]


@pytest.mark.requirement("lumo.state.visible")
def test_an_error_takes_the_tools_away_until_retry_and_opening_the_panel_probes_again(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = scripted_provider()
    providers_panel.add(peer.id)
    providers_panel.expect_connected(peer.id, tools=2)

    peer.behave(enabled=False)
    retried(providers_panel, peer)
    providers_panel.expect_error(peer.id, "disabled", HOST_ERROR_TEXTS["disabled"])
    assert providers_panel.tools() == []
    peer.wait_for("closed")

    peer.behave(enabled=True)
    retried(providers_panel, peer)
    providers_panel.expect_connected(peer.id, tools=2)
    peer.behave(authorized=False)
    probes = len(peer.probes)

    providers_panel.reopen()

    providers_panel.expect_error(peer.id, "not_authorized", HOST_ERROR_TEXTS["not_authorized"])
    assert len(peer.probes) == probes + 1


@pytest.mark.requirement("lumo.state.visible")
def test_the_list_is_used_by_keyboard_alone(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = scripted_provider()
    panel = providers_panel.panel
    panel.get_by_test_id("view-providers").focus()
    panel.keyboard.press("Tab")
    panel.keyboard.type(peer.id)
    panel.keyboard.press("Tab")
    panel.keyboard.press("Enter")
    providers_panel.expect_connected(peer.id, tools=2)

    providers_panel.part(peer.id, "provider-offer").focus()
    panel.keyboard.press("Tab")
    expect(providers_panel.part(peer.id, "provider-retry")).to_be_focused()
    panel.keyboard.press("Enter")
    peer.wait_for("probe", 2)
    providers_panel.expect_settled(peer.id)
    providers_panel.part(peer.id, "provider-retry").focus()
    panel.keyboard.press("Tab")
    panel.keyboard.press("Enter")

    expect(panel.get_by_test_id("no-providers")).to_be_visible()


WRONG_IDS = ["a" * 31, "a" * 33, "A" * 32, "a" * 31 + "q", "https://example.com/", "a" * 31 + "é"]


def expect_only(providers_panel: ProvidersPanel, peer: ScriptedProvider) -> None:
    """The peer alone is on the list, connected; and then it is taken off."""
    providers_panel.expect_connected(peer.id, tools=2)
    assert providers_panel.ids == [peer.id]
    providers_panel.remove(peer.id)
    expect(providers_panel.panel.get_by_test_id("no-providers")).to_be_visible()


@pytest.mark.requirement("lumo.id.validator")
def test_no_wrong_id_reaches_chrome_by_entry_import_message_or_storage(
    host: Extension, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = scripted_provider()
    host.worker.evaluate(WATCH_CHROME)
    generation = host.worker.generation
    panel = providers_panel.panel

    for wrong in WRONG_IDS:
        providers_panel.add(wrong)
        expect(panel.get_by_test_id("provider-refused")).to_contain_text(wrong)
    providers_panel.add(peer.id)
    expect_only(providers_panel, peer)

    providers_panel.add(*WRONG_IDS, peer.id)
    expect(panel.get_by_test_id("provider-refused")).to_contain_text(INVALID_ID["text"])
    expect_only(providers_panel, peer)

    request = {"type": "panel/addProviders", "ids": [*WRONG_IDS, peer.id]}
    answer = panel.evaluate("(request) => chrome.runtime.sendMessage(request)", request)
    assert answer == {"refused": WRONG_IDS}
    expect_only(providers_panel, peer)

    # What is added is checked, what was stored is shown as wrong, and can be removed.
    host.storage.set({"providers": [*WRONG_IDS, peer.id]})
    for wrong in WRONG_IDS:
        providers_panel.expect_error(wrong, INVALID_ID["code"], INVALID_ID["text"])
    providers_panel.expect_connected(peer.id, tools=2)
    assert providers_panel.ids == [*WRONG_IDS, peer.id]
    providers_panel.remove(WRONG_IDS[0])
    wait_until(lambda: providers_panel.ids == [*WRONG_IDS[1:], peer.id], "the wrong id is off the list")
    assert host.storage.get("providers") == [*WRONG_IDS[1:], peer.id]

    assert host.worker.evaluate("globalThis.reached") == {
        "sendMessage": [peer.id] * 4,
        "connect": [peer.id] * 4,
    }
    assert host.worker.generation == generation, "the watch was there all the time"
