"""L1 from the host's side while its session lives: handshake, listing, calls and what they end in."""

from __future__ import annotations

import json

import pytest
from host_sessions import ECHO, WRITE, connected, methods, said
from playwright.sync_api import expect
from providers_panel import ProvidersPanel, error_of

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.lumo.models import MCP_REVISION
from webmcp_e2e.lumo_fixtures import MakeProvider
from webmcp_e2e.provider import Provider
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.webmcp_runtime("native")
host_conformance = pytest.mark.conformance("host")


@host_conformance
@pytest.mark.requirement("lumo.l1.sdk")
def test_a_session_begins_as_the_revision_says_and_stands_a_flood(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider)

    [initialize] = peer.messages("initialize")
    assert initialize["message"]["params"]["protocolVersion"] == MCP_REVISION
    assert methods(peer, 1) == ["initialize", "notifications/initialized", "tools/list"]
    [port] = peer.connects
    assert port["name"] == "lumo:mcp"
    assert said(providers_panel.call(ECHO, text="hello")) == {
        "tool": "echo",
        "args": {"text": "hello"},
        "execution": 1,
    }

    # A thousand notifications after the handshake, and again before the result.
    loud = connected(providers_panel, scripted_provider, namespace="loud", call="flood", flood=1_000)
    assert said(providers_panel.call("ext__loud__echo"))["execution"] == 1
    assert len(loud.connects) == 1


class TestNoSession:
    """Providers whose probe passes and whose server is none."""

    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"handshakeAttempt": 1_500}

    @host_conformance
    @pytest.mark.requirement("lumo.l1.sdk")
    def test_another_revision_or_silence_is_said_to_be_no_session(
        self, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
    ) -> None:
        silent = scripted_provider(connect="silent")
        old = scripted_provider(revision="2024-11-05")

        providers_panel.add(silent.id, old.id)

        for peer in (silent, old):
            expect(providers_panel.part(peer.id, "provider-problem")).to_be_visible(timeout=15_000)
            providers_panel.expect_connected(peer.id, tools=0)
        expect(providers_panel.part(old.id, "provider-problem")).to_contain_text("2024-11-05")
        assert old.messages("tools/list") == []


@pytest.mark.requirement("lumo.l1.sdk")
def test_the_real_provider_is_approved_and_called(
    providers_panel: ProvidersPanel, provider: Provider, host: Extension
) -> None:
    provider.set_policy(endpoint=True, write=True, review=False)
    providers_panel.add(provider.id)
    providers_panel.expect_error(provider.id, "pending_approval", "Waiting for your approval in the provider")

    provider.allow(host.id)
    provider.allow_user_scripts()
    providers_panel.retry(provider.id)
    providers_panel.expect_connected(provider.id, tools=7)

    source = "// ==UserScript==\n// @name one\n// @match http://127.0.0.1/*\n// ==/UserScript==\n"
    created = providers_panel.call("ext__userscripts__create_script", source=source)
    assert error_of(created) is None
    listed = providers_panel.call("ext__userscripts__list_scripts")
    assert created["structuredContent"]["uuid"] in json.dumps(listed["structuredContent"])


@host_conformance
@pytest.mark.requirement("lumo.l1.pages")
def test_a_listing_is_read_to_its_end_or_to_one_beyond_the_limit(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    names = [f"tool_{number}" for number in range(10)]
    paged = scripted_provider(tools=names, page_size=3)
    by_one = scripted_provider(namespace="ones", endless=True, page_size=1)
    by_ten = scripted_provider(namespace="tens", endless=True, page_size=10)

    providers_panel.add(paged.id, by_one.id, by_ten.id)

    providers_panel.expect_connected(paged.id, tools=10)
    assert len(paged.messages("tools/list")) == 4
    assert providers_panel.tools("scripted") == [f"ext__scripted__{name}" for name in names]
    providers_panel.expect_connected(by_one.id, tools=64, rejected=1, timeout=30)
    providers_panel.expect_connected(by_ten.id, tools=64, rejected=6, timeout=30)
    assert len(by_one.messages("tools/list")) == 65
    assert len(by_ten.messages("tools/list")) == 7


@host_conformance
@pytest.mark.requirement("lumo.l1.list-changed")
def test_list_changed_refreshes_the_tools(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider)

    peer.change_tools("echo", "later", "1wrong")

    providers_panel.wait_for_tools(ECHO, "ext__scripted__later")
    providers_panel.expect_connected(peer.id, tools=2, rejected=1)
    assert len(peer.connects) == 1
    assert error_of(providers_panel.call(WRITE)) == ("unknown_tool", "no")


@host_conformance
@pytest.mark.requirement("lumo.l1.business-failure")
def test_a_business_failure_is_passed_on_and_a_protocol_fault_is_an_error_of_its_own(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    actions = ["fail", "error", "malformed"]
    plans = {name: name for name in actions}
    peer = connected(providers_panel, scripted_provider, tools=actions, calls=plans)

    result = providers_panel.call("ext__scripted__fail", n=1)
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == {"tool": "fail", "args": {"n": 1}, "execution": 1}
    assert "_meta" not in result
    for fault in ("error", "malformed"):
        assert error_of(providers_panel.call(f"ext__scripted__{fault}")) == ("page_error", "unknown")

    assert [call["tool"] for call in peer.calls] == actions, "each was executed once"


@pytest.mark.requirement("lumo.l1.sdk")
def test_a_call_that_is_cancelled_by_hand_is_cancelled_at_the_provider(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider, calls={"write": "hold"})
    providers_panel.show("tools")
    card = providers_panel.panel.locator(f'[data-testid="tool"][data-tool="{WRITE}"]')
    card.locator("summary").click()

    card.get_by_test_id("tool-call").click()
    peer.wait_for("call")
    card.get_by_test_id("tool-cancel").click()

    expect(card.get_by_test_id("error-code")).to_have_text("cancelled")
    expect(card.get_by_test_id("error-executed")).to_have_attribute("data-executed", "unknown")
    [told] = peer.wait_for_message("notifications/cancelled")
    [call] = peer.messages("tools/call")
    assert told["message"]["params"]["requestId"] == call["message"]["id"]


@pytest.mark.requirement("lumo.l1.sdk")
def test_mcp_clients_get_a_provider_only_when_it_is_switched_on(
    chain: Chain, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    # With a page in a tab: its content script wakes the host's worker for the relay.
    host, relay = chain.host, chain.relay
    peer = connected(providers_panel, scripted_provider)

    def offered() -> list[str]:
        return [name for name in relay.tools() if name.startswith("ext__")]

    assert offered() == [], "off by default"

    switch = providers_panel.part(peer.id, "provider-offer")
    switch.check()
    wait_until(lambda: offered() == [ECHO, WRITE], "the provider's tools are offered")
    assert said(relay.call(ECHO, {"n": 1}).model_dump(by_alias=True))["args"] == {"n": 1}

    host.worker.stop()
    peer.worker.stop()
    wait_until(lambda: not relay.call(WRITE, {"n": 2}).is_error, "both come back for a call", timeout=30)

    # A new session of the browser knows no tools: those that are offered are asked for when a relay is there.
    host.reload()
    wait_until(lambda: offered() == [ECHO, WRITE], "offered again, with no panel open", timeout=30)
    providers_panel.reopen()
    switch = providers_panel.part(peer.id, "provider-offer")
    switch.uncheck()
    wait_until(lambda: offered() == [], "the provider's tools are gone")
    assert host.storage.get("providersOverRelay") == []
