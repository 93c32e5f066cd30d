"""Both wire formats: streaming, tool calls, every kind of failure, and patience."""

from __future__ import annotations

import re

import pytest
from chat_panel import PATIENCE, ChatPanel
from playwright.sync_api import Page, expect
from settings_panel import MODEL

from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Cut, Fail, Hold, Llm, LlmRequest, Protocol, ToolCall

pytestmark = [
    pytest.mark.webmcp_runtime("native"),
    pytest.mark.requirement("agent.openai", "agent.anthropic"),
    pytest.mark.parametrize("protocol", ["openai-compat", "anthropic"], indirect=True),
]


def test_what_is_said_shows_as_it_comes_and_calls_run(
    chat: ChatPanel, llm: Llm, protocol: Protocol, html_app: HtmlApp, page: Page
) -> None:
    """Words before the end, Markdown, calls in pieces, one that is no JSON, a cut answer, and many tools."""
    held = llm.reply("Hello **wor", Hold(), "ld** there.")
    chat.ask("Say hello.")
    held.wait_held()
    chat.expect_state("streaming")
    expect(chat.answer).to_contain_text("wor")
    held.release()
    chat.expect_done("Hello world there.")
    expect(chat.answer.locator("strong")).to_have_text("world")
    (request,) = llm.requests
    assert (request.protocol, request.body["model"], request.body["stream"]) == (protocol, MODEL, True)
    assert "tools of the page" in request.system
    assert any(name.endswith("__query_table_data") for name in request.tools)

    text = 'quotes ", braces }, 中文 and a\nbreak'
    llm.reply_by(lambda asked: ["First.", ToolCall(asked.tool("__echo"), {"text": text}), broken(asked)])
    llm.reply("I see.", finish="length")
    chat.ask("Call something.")
    chat.expect_done("I see.")
    expect(chat.answer).to_contain_text("max tokens")
    chat.expect_calls(("__echo", "done"), ("__sum", "refused"))
    assert [(one.tool, one.args) for one in html_app.invocations] == [("echo", {"text": text})]
    echoed, refused = llm.requests[-1].tool_results
    assert text in echoed
    assert "invalid_args" in refused

    page.goto(html_app.page(more=140))
    expect(chat.panel.get_by_test_id("chat-tools")).to_have_attribute(
        "data-count", re.compile(r"^1[4-9]\d$"), timeout=PATIENCE
    )
    llm.reply("So many.")
    chat.ask("How many tools have you got?")
    chat.expect_done("So many.")
    offered = llm.requests[-1].tools
    left_out = chat.answer.get_by_test_id("tools-left-out")
    if protocol == "openai-compat":
        assert len(offered) == 128, "its servers take no more"
        expect(left_out).to_be_visible()
    else:
        assert len(offered) > 140
        expect(left_out).to_have_count(0)


def broken(asked: LlmRequest) -> ToolCall:
    return ToolCall(asked.tool("__sum"), '{"a": 1, "b":')


def test_failures_have_a_code_and_a_mend(chat: ChatPanel, llm: Llm) -> None:
    """What may pass is tried again, what will not is not; nothing said is lost, and Retry goes on."""
    llm.reply(Fail(401))
    chat.ask("Good day.")
    chat.expect_error("llm_auth", "Enter another one in the settings")

    llm.reply_by(lambda asked: Fail(400, "that is no schema", tool=asked.tool("__sum")))
    chat.press("Retry")
    chat.expect_error("llm_schema", "__sum")

    for _ in range(4):
        llm.reply(Fail(500, "on fire"))
    chat.press("Retry")
    chat.expect_error("llm_server", "on fire")
    assert llm.unanswered == 0

    held = llm.reply("Half an ", Hold(), Cut())
    chat.press("Retry")
    expect(chat.answer).to_contain_text("Half an", timeout=PATIENCE)
    held.release()
    chat.expect_error("llm_network", "broke off")
    expect(chat.answer).to_contain_text("Half an")

    llm.reply("A third of ", Fail(529, "too many"))
    chat.press("Retry")
    chat.expect_error("llm_server", "too many")

    for failure in (Fail(429, retry_after=0.01), Fail(503), Fail(500)):
        llm.reply(failure)
    llm.reply("All is well.")
    chat.press("Retry")
    chat.expect_done("All is well.")
    assert len(llm.requests) == 12

    llm.reply(Fail(429, retry_after=25))
    chat.ask("Once more.")
    expect(chat.answer.get_by_role("status")).to_contain_text("Trying again in", timeout=PATIENCE)
    chat.press("Stop")
    chat.expect_state("stopped")
    llm.reply("Here.")
    chat.press("Resend")
    chat.expect_done("Here.")
    assert llm.api_key not in chat.panel.content()
