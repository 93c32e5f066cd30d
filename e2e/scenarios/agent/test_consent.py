"""Tools that say that they change something ask the user first: inline, once a call, unless allowed for the session."""

from __future__ import annotations

import pytest
from chat_panel import PATIENCE, ChatPanel
from playwright.sync_api import expect

from webmcp_e2e.lumo.behaviour import tool
from webmcp_e2e.lumo_fixtures import MakeProvider
from webmcp_e2e.services.llm import Llm, ToolCall

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.requirement("agent.consent")]

WIPE = "ext__scripted__wipe"
BUY = "ext__scripted__buy"


def test_consequential_tools_ask_first(chat: ChatPanel, llm: Llm, scripted_provider: MakeProvider) -> None:
    peer = scripted_provider(
        tools=[
            tool("wipe", annotations={"destructiveHint": True}),
            tool("buy", annotations={"consequential": True}),
            tool("look", read_only=True),
        ]
    )
    panel = chat.panel
    panel.get_by_role("tab", name="Providers").click()
    panel.get_by_test_id("provider-id").fill(peer.id)
    panel.get_by_test_id("provider-id").press("Enter")
    expect(panel.locator(f"[data-provider-id='{peer.id}'][data-state=connected]")).to_be_visible(
        timeout=PATIENCE
    )
    chat.show()

    def executed() -> list[str]:
        return [call["tool"] for call in peer.calls]

    llm.reply(ToolCall(WIPE, {"disk": "all"}), ToolCall("ext__scripted__look"))
    llm.reply("I did not.")
    chat.ask("Wipe it.")
    question = chat.consent(WIPE)
    expect(question).to_contain_text('"disk": "all"', timeout=PATIENCE)
    expect(chat.call("__look")).to_have_attribute("data-state", "done", timeout=PATIENCE)
    assert executed() == ["look"], "nothing runs before the answer"
    question.get_by_role("button", name="Deny").press("Enter")
    chat.expect_done("I did not.")
    chat.expect_calls(("__wipe", "denied"), ("__look", "done"))
    assert "denied" in llm.requests[-1].tool_results[0]

    for _ in range(2):
        llm.reply(ToolCall(WIPE), ToolCall(BUY))
    chat.ask("Now really.")
    chat.consent(WIPE).get_by_role("button", name="Allow once").click()
    chat.consent(BUY).get_by_role("button", name="Allow for this session").click()
    expect(chat.calls).to_have_count(4, timeout=PATIENCE)
    expect(chat.calls.nth(3)).to_have_attribute("data-state", "done", timeout=PATIENCE)
    expect(chat.calls.nth(2)).to_have_attribute("data-state", "consent")
    assert executed() == ["look", "wipe", "buy", "buy"], "once is once; for the session is not asked again"
    chat.press("Stop")
    chat.expect_state("stopped")
    expect(chat.calls.nth(2)).to_have_attribute("data-state", "cancelled")

    chat.press("New session")
    llm.reply(ToolCall(BUY))
    llm.reply("Not this time.")
    chat.ask("Buy.")
    chat.consent(BUY).get_by_role("button", name="Deny").click()
    chat.expect_done("Not this time.")
    assert executed() == ["look", "wipe", "buy", "buy"]
