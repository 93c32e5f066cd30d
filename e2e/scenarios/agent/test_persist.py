"""Sessions outlive the panel, the worker and the browser; a turn that the panel's end cut off can be sent again."""

from __future__ import annotations

import pytest
from a2a_panel import A2aPanel
from chat_panel import PATIENCE, ChatPanel, paste
from playwright.sync_api import Page, expect
from settings_panel import MODEL, SettingsPanel

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Hold, Llm, ToolCall
from webmcp_e2e.waiting import wait_until

_HAS_RESULT = """async () => {
  const turns = Object.values(await chrome.storage.local.get(null)).filter((value) => value?.messages);
  return turns.some(({ messages }) => messages.some(({ calls }) => calls.some(({ result }) => result)));
}"""

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.requirement("agent.persist")]


def test_panel_worker_and_browser_come_and_go(
    chat: ChatPanel,
    llm: Llm,
    page: Page,
    html_app: HtmlApp,
    a2a_agent: A2aAgent,
    configured_host: Extension,
    extension_browser: ExtensionBrowser,
    start_page: str,
) -> None:
    host = configured_host
    A2aPanel(chat.panel).add("analyst", a2a_agent.card_url, token=a2a_agent.token)
    chat.show()

    llm.reply_by(
        lambda asked: [
            "I begin. ",
            ToolCall(asked.tool("__echo"), {"text": "kept"}),
            ToolCall(asked.tool("__slow"), {"ms": 60_000}),
        ]
    )
    chat.ask("Begin something long.")
    expect(chat.call("__echo")).to_have_attribute("data-state", "done", timeout=PATIENCE)
    html_app.wait_for_invocations(2, timeout=PATIENCE / 1000)
    wait_stored(chat.panel)
    host.close_side_panel(page)

    chat = ChatPanel(host.side_panel(page))
    chat.expect_state("interrupted")
    chat.expect_calls(("__echo", "done"), ("__slow", "outcome_unknown"))
    assert chat.result_of(chat.call("__echo")) == "kept"
    assert chat.result_of(chat.call("__slow")).startswith("outcome_unknown")
    slow = [one for one in html_app.invocations if one.tool == "slow"]
    assert len(slow) == 1, "nothing is sent again by itself"

    held = llm.reply("Half of ", Hold(), "it.")
    chat.press("Resend")
    held.wait_held()
    expect(chat.answer).to_contain_text("Half of")
    host.worker.stop()
    held.release()
    chat.expect_done("Half of it.")
    wait_until(lambda: not host.worker.debugger_attached, "nothing is attached but for the moment of a start")

    chat.press("New session")
    llm.reply("The second one.")
    chat.ask("Something else.")
    chat.expect_done("The second one.")
    chat.press("Rename session")
    paste(chat.panel.get_by_role("textbox", name="Session title"), "Renamed")
    chat.panel.keyboard.press("Enter")
    expect(chat.sessions.get_by_role("option")).to_have_text(["Renamed", "Begin something long."])

    panel = after_restart(extension_browser, host, start_page)
    chat = ChatPanel(panel)
    expect(chat.sessions.get_by_role("option")).to_have_text(["Renamed", "Begin something long."])
    chat.expect_done("The second one.")
    chat.sessions.select_option(label="Begin something long.")
    expect(chat.answers).to_have_count(2)
    expect(chat.answers.first).to_have_attribute("data-state", "interrupted")
    expect(SettingsPanel(panel).section).to_contain_text(MODEL)
    A2aPanel(panel).expect_state("analyst", "ready")

    chat.show()
    llm.reply("I remember.")
    chat.ask("Do you remember?")
    chat.expect_done("I remember.")
    assert llm.requests[-1].user_texts == ["Begin something long."] * 2 + ["Do you remember?"]
    chat.press("Delete session")
    chat.press("Really delete session")
    expect(chat.sessions.get_by_role("option")).to_have_text(["New session", "Renamed"])


def after_restart(browser: ExtensionBrowser, host: Extension, url: str) -> Page:
    """The panel of the browser's next life, on the same profile."""
    browser.restart()
    page = browser.context.new_page()
    page.goto(url)
    return host.side_panel(page)


def wait_stored(panel: Page) -> None:
    """Until a call's result is in the extension's storage: what is on display is there a moment later."""
    wait_until(
        lambda: panel.evaluate(_HAS_RESULT),
        "a result is stored",
        pump=lambda seconds: panel.wait_for_timeout(seconds * 1000),
    )
