"""The tool-use loop, driven from the chat: several steps, calls side by side, its limits, and Stop."""

from __future__ import annotations

import pytest
from chat_panel import PATIENCE, ChatPanel
from playwright.sync_api import expect

from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Hold, Llm, LlmRequest, ToolCall

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.requirement("agent.loop")]

LONG = 60_000
STEPS = 24


def test_steps_side_by_side_calls_and_stop(chat: ChatPanel, llm: Llm, html_app: HtmlApp) -> None:
    """Two steps to an answer; then a turn whose calls run at the same time and end when it is stopped."""
    llm.reply_by(
        lambda asked: [
            ToolCall(asked.tool("__slow"), {"ms": 200}),
            ToolCall(asked.tool("__sum"), {"a": 2, "b": 3}),
        ]
    )
    llm.reply_by(lambda asked: ["Once more.", ToolCall(asked.tool("__echo"), {"text": "five"})])
    llm.reply("It is five.")
    chat.ask("Add two and three, slowly.")
    chat.expect_done("It is five.")
    chat.expect_calls(("__slow", "done"), ("__sum", "done"), ("__echo", "done"))
    first, second = llm.requests[1].tool_results
    assert "waited" in first, "results come in the order of the calls, not of their ends"
    assert "5" in second
    assert all("untrusted" in result for result in llm.requests[-1].tool_results)

    html_app.clear()
    llm.reply_by(lambda asked: [ToolCall(asked.tool("__slow"), {"ms": LONG + at}) for at in (1, 2)])
    chat.ask("Wait twice.")
    running = html_app.wait_for_invocations(2, timeout=PATIENCE / 1000)
    assert [one.outcome for one in running] == ["running", "running"]
    chat.press("Stop")
    chat.expect_state("stopped")
    for seq in (1, 2):
        html_app.wait_for_outcome(seq, "aborted", timeout=PATIENCE / 1000)
    chat.expect_calls(("__slow", "outcome_unknown"), ("__slow", "outcome_unknown"))

    held = llm.reply("I was ", Hold(), "never said")
    chat.press("Resend")
    held.wait_held()
    expect(chat.answer).to_contain_text("I was")
    chat.press("Stop")
    chat.expect_state("stopped")
    held.wait_outcome("abandoned")
    assert (llm.unanswered, len(html_app.invocations)) == (0, 2), "nothing runs on after Stop"

    llm.reply("As before.")
    chat.ask("Are you still there?")
    chat.expect_done("As before.")
    said = llm.requests[-1].user_texts
    assert said == ["Add two and three, slowly.", "Wait twice.", "Wait twice.", "Are you still there?"]


class TestLimits:
    @pytest.fixture
    def agent_timings(self) -> dict[str, int]:
        return {"tool": 500}

    def test_steps_deadline_calls_of_a_turn_and_size(
        self, chat: ChatPanel, llm: Llm, html_app: HtmlApp
    ) -> None:
        llm.reply_by(lambda asked: ToolCall(asked.tool("__slow"), {"ms": LONG}))
        llm.reply_by(lambda asked: ToolCall(asked.tool("__big"), {"bytes": 100_000}))
        llm.reply("Enough.")
        chat.ask("Wait too long, then fetch much.")
        chat.expect_done("Enough.")
        chat.expect_calls(("__slow", "outcome_unknown"), ("__big", "done"))
        html_app.wait_for_outcome(1, "aborted")
        waited, big = llm.requests[-1].tool_results
        assert "timeout" in waited
        assert len(big.encode()) <= 32_000
        assert "cut" in big

        def go_on(asked: LlmRequest) -> ToolCall:
            return ToolCall(asked.tool("__echo"), {"text": "again"})

        html_app.clear()
        for _ in range(STEPS):
            llm.reply_by(go_on)
        chat.ask("Never end.")
        chat.expect_error("step_limit", f"{STEPS} steps")
        assert llm.unanswered == 0
        assert len(html_app.invocations) == STEPS - 1, "a call that no answer can follow does not run"
        llm.reply("So be it.")
        chat.press("Retry")
        chat.expect_done("So be it.")

        chat.choose_agent("Tool debug")
        html_app.clear()
        llm.reply_by(lambda asked: [go_on(asked), go_on(asked)])
        llm.reply("One is enough.")
        chat.ask("Call it twice.")
        chat.expect_done("One is enough.")
        chat.expect_calls(("__echo", "done"), ("__echo", "refused"))
        assert len(html_app.invocations) == 1
