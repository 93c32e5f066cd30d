"""Four kinds of tools in one catalogue, each called the way of its kind."""

from __future__ import annotations

import pytest
from a2a_panel import A2aPanel
from chat_panel import PATIENCE, ChatPanel
from playwright.sync_api import expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.lumo_fixtures import MakeProvider
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Llm, ToolCall

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.requirement("agent.routing")]


def test_page_extension_provider_and_remote_agent_answer_in_one_turn(
    configured_host: Extension,
    chat: ChatPanel,
    llm: Llm,
    html_app: HtmlApp,
    a2a_agent: A2aAgent,
    scripted_provider: MakeProvider,
) -> None:
    peer = scripted_provider(tools=["look", "look"])
    panel = chat.panel
    panel.get_by_role("tab", name="Providers").click()
    panel.get_by_test_id("provider-id").fill(peer.id)
    panel.get_by_test_id("provider-id").press("Enter")
    A2aPanel(panel).add("analyst", a2a_agent.card_url, token=a2a_agent.token)
    A2aPanel(panel).expect_state("analyst", "ready")
    chat.show()
    tools = panel.get_by_test_id("chat-tools")
    tools.locator("summary").click()
    expect(tools).to_contain_text("ext__scripted__look", timeout=PATIENCE)

    llm.reply_by(
        lambda asked: [
            ToolCall(asked.tool("__sum"), {"a": 20, "b": 22}),
            ToolCall("chrome_extension_get_selected_tabs"),
            ToolCall("ext__scripted__look", {"at": "this"}),
            ToolCall("a2a__analyst__send_task", {"task": "Who are you?"}),
            ToolCall("tab1__no_such_tool", {}),
        ]
    )
    llm.reply("All four.")
    chat.ask("Call one of each.")
    chat.expect_done("All four.")
    chat.expect_calls(
        ("__sum", "done"),
        ("chrome_extension_get_selected_tabs", "done"),
        ("ext__scripted__look", "done"),
        ("a2a__analyst__send_task", "done"),
        ("no_such_tool", "refused"),
    )
    kinds = [chat.calls.nth(at).get_attribute("data-kind") for at in range(4)]
    assert kinds == ["TOOL", "TOOL", "EXT", "A2A"]
    page_result, tabs, _, remote, unknown = llm.requests[-1].tool_results
    assert "42" in page_result
    assert html_app.origin in tabs
    assert "Give me their rows" in remote
    assert "unknown_tool" in unknown
    assert [one.tool for one in html_app.invocations] == ["sum"]
    (call,) = peer.calls
    assert call["args"] == {"at": "this"}
    names = list(llm.requests[0].tools)
    assert len(set(names)) == len(names), "each name once"
