"""Unknown senders: one pending approval each, decided on the provider's page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import ExtensionBrowser
from webmcp_e2e.lumo.rules import LIMITS
from webmcp_e2e.lumo.scripted import ScriptedHost
from webmcp_e2e.lumo_fixtures import MakeHost
from webmcp_e2e.provider import Provider
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("lumo.auth.pending-list"), pytest.mark.webmcp_runtime("native")]


@pytest.fixture
def stranger(provider: Provider, scripted_host: MakeHost) -> ScriptedHost:
    """An extension that nobody approved."""
    return scripted_host(provider.id)


def flags(peer: ScriptedHost) -> tuple[bool, bool]:
    """``(authorized, pendingApproval)`` in the answer to a probe."""
    status = peer.probe()["status"]
    return status["authorized"], status["pendingApproval"]


def test_first_contact_waits_and_approval_lets_in(stranger: ScriptedHost, provider_page: Page) -> None:
    name = "I am your bank"
    for _ in range(3):
        client = {"id": stranger.id, "name": name, "version": "1"}
        assert stranger.probe(client=client)["status"]["pendingApproval"] is True

    waiting = provider_page.get_by_test_id("pending-sender")
    expect(waiting).to_have_count(1)
    expect(waiting.get_by_test_id("sender-id")).to_have_text(stranger.id)
    expect(waiting).to_contain_text(name)
    stranger.connect().wait_closed()
    waiting.get_by_role("button", name="Approve").click()

    expect(waiting).to_have_count(0)
    assert flags(stranger) == (True, False)
    assert stranger.session().call("list_scripts")["structuredContent"]["scripts"] == []


SPEAK_IN_PAGE = """async ([id, request]) => {
  const [tab] = await chrome.tabs.query({ url: "http://127.0.0.1/*" });
  const speak = async (id, request) => {
    const answer = await chrome.runtime.sendMessage(id, request).catch(() => undefined);
    const port = chrome.runtime.connect(id, { name: "lumo:mcp" });
    const over = new Promise((ended) => {
      port.onDisconnect.addListener(() => ended("closed"));
      port.onMessage.addListener(() => ended("answered"));
    });
    port.postMessage({ jsonrpc: "2.0", id: 1, method: "ping" });
    return { answer: answer ?? null, port: await over };
  };
  const target = { tabId: tab.id };
  const [{ result }] = await chrome.scripting.executeScript({ target, func: speak, args: [id, request] });
  return result;
}"""
"""The same extension speaks from a content script: a probe, then a port."""


@pytest.mark.requirement("lumo.auth.sender-id", "lumo.auth.l1-gate")
def test_a_content_script_does_not_speak_for_its_extension(
    extension_browser: ExtensionBrowser, provider: Provider, scripted_host: MakeHost, html_app: HtmlApp
) -> None:
    """It has the extension's id, but shares a process with a web page."""
    manifest = {"permissions": ["storage", "scripting", "tabs"], "host_permissions": ["<all_urls>"]}
    friend = scripted_host(provider.id, manifest=manifest)
    provider.allow(friend.id)
    extension_browser.context.new_page().goto(html_app.url + "plain.html")

    from_page = friend.run(SPEAK_IN_PAGE, [provider.id, friend.request()])

    assert from_page == {"answer": None, "port": "closed"}
    assert flags(friend) == (True, False), "its worker does"


def test_refused_sender_makes_no_new_entry(stranger: ScriptedHost, provider_page: Page) -> None:
    stranger.probe()
    provider_page.get_by_test_id("pending-sender").get_by_role("button", name="Refuse").click()
    expect(provider_page.get_by_test_id("refused-sender")).to_have_attribute("data-id", stranger.id)

    assert flags(stranger) == (False, False)
    assert flags(stranger) == (False, False)
    expect(provider_page.get_by_test_id("pending-sender")).to_have_count(0)

    provider_page.get_by_test_id("refused-sender").get_by_role("button", name="Forget").click()
    expect(provider_page.get_by_test_id("refused-sender")).to_have_count(0)
    assert flags(stranger) == (False, True)


def test_with_the_endpoint_off_nobody_is_asked_about(provider: Provider, stranger: ScriptedHost) -> None:
    provider.set_policy(endpoint=False)

    assert flags(stranger) == (False, False)
    assert not provider.storage.get("pendingApprovals")


def test_twenty_wait_and_the_oldest_makes_room(provider: Provider, stranger: ScriptedHost) -> None:
    most = LIMITS["pendingApprovals"].value
    waiting = [{"id": letter * 32, "name": "", "at": ""} for letter in "abcdefghijklmnop"]
    waiting += [{"id": letter * 31 + "p", "name": "", "at": ""} for letter in "abcd"]
    assert len(waiting) == most
    provider.storage.set({"pendingApprovals": waiting})

    stranger.probe()

    ids = [sender["id"] for sender in provider.storage.get("pendingApprovals")]
    assert ids == [sender["id"] for sender in waiting[1:]] + [stranger.id]


@pytest.mark.requirement("lumo.id.validator")
def test_ids_are_checked_on_every_way_in(provider: Provider, peer: ScriptedHost, provider_page: Page) -> None:
    entry, problem = provider_page.get_by_test_id("allow-id"), provider_page.get_by_test_id("allow-problem")
    for wrong in ("", "a" * 31, "a" * 33, "q" * 32, "A" * 32, f"{'a' * 16} {'a' * 16}", "<all>"):
        entry.fill(wrong)
        provider_page.get_by_test_id("allow-add").click()
        expect(problem).to_contain_text("32 letters from a to p")
    entry.fill("b" * 32)
    entry.press("Enter")
    expect(provider_page.get_by_test_id("allowed-sender")).to_have_count(2)
    expect(problem).to_be_empty()

    stored = provider.storage.get("allowlist")
    provider.storage.set(
        {"allowlist": [*stored, {"id": "*", "name": "", "at": ""}, {"id": "b" * 31 + "z"}, "b"]}
    )
    expect(provider_page.get_by_test_id("allowed-sender")).to_have_count(2)
    message = {"type": "sender/approve", "id": "*"}
    provider_page.evaluate("(message) => void chrome.runtime.sendMessage(message)", message)
    assert peer.probe()["status"]["authorized"] is True
    assert "*" not in [sender["id"] for sender in stored]
