"""The case study: "query orders, have the analyst agent analyse them", end to end, the worker recycled in between."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from a2a_panel import A2aPanel
from chat_panel import ChatPanel
from playwright.sync_api import Page, expect
from settings_panel import SettingsPanel

from webmcp_e2e import resources
from webmcp_e2e.browser import Extension
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Hold, Llm, LlmRequest, Protocol, ToolCall
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.webmcp_runtime("native")

QUERY = {"warehouse": "Lyon", "status": "open", "pageSize": 100}


def expected_figures() -> tuple[str, str, str]:
    """Count, total and largest of the queried orders, from the page app's own data."""
    orders = json.loads(Path(resources.html_app_dir(), "orders.json").read_text(encoding="utf-8"))
    rows = [one for one in orders if one["warehouse"] == "Lyon" and one["status"] == "open"]
    total = sum(Decimal(str(row["amount"])) for row in rows)
    return f"{len(rows)} orders", f"{total:.2f} in total", max(rows, key=lambda row: row["amount"])["id"]


def query(request: LlmRequest) -> list[str | ToolCall]:
    return ["I look up the orders.", ToolCall(request.tool("__query_table_data"), QUERY)]


def hand_over(request: LlmRequest) -> list[Hold | ToolCall]:
    """The rows of the page's answer go to the analyst, and a tool of the worker is called beside."""
    message = f"Analyse these orders: {request.tool_results[-1]}"
    analyse = ToolCall("a2a__analyst__send_task", {"task": message})
    return [Hold(), ToolCall("chrome_extension_get_selected_tabs"), analyse]


@pytest.mark.requirement("a2a.case-study", "agent.openai", "agent.anthropic", "agent.persist")
@pytest.mark.parametrize("protocol", ["openai-compat", "anthropic"])
def test_orders_of_the_page_are_analysed_by_the_remote_agent(
    host: Extension, page: Page, html_app: HtmlApp, llm: Llm, a2a_agent: A2aAgent, protocol: Protocol
) -> None:
    page.goto(html_app.url)
    panel = host.side_panel(page)
    SettingsPanel(panel).enter_model(llm, protocol)
    A2aPanel(panel).add("analyst", a2a_agent.card_url, token=a2a_agent.token)
    A2aPanel(panel).expect_state("analyst", "ready")
    chat = ChatPanel(panel)
    chat.choose_agent("A2A analyst")

    llm.reply_by(query)
    held = llm.reply_by(hand_over)
    llm.reply_by(lambda request: f"The analyst says: {request.tool_results[-1]}")
    chat.ask("Query the open orders of Lyon and have the analyst analyse them.")
    held.wait_held()
    before = host.worker.generation
    host.worker.stop()
    held.release()

    chat.expect_done("The analyst says:")
    for figure in expected_figures():
        expect(chat.answer).to_contain_text(figure)
    assert host.worker.generation == before + 1
    wait_until(lambda: not host.worker.debugger_attached, "nothing is attached but for the moment of a start")

    chat.expect_calls(
        ("__query_table_data", "done"),
        ("chrome_extension_get_selected_tabs", "done"),
        ("a2a__analyst__send_task", "done"),
    )
    badges = [chat.calls.nth(at).get_attribute("data-kind") for at in range(3)]
    assert badges == ["TOOL", "TOOL", "A2A"]
    assert html_app.url in chat.result_of(chat.call("get_selected_tabs"))
    assert [(one.tool, one.args) for one in html_app.invocations] == [("query_table_data", QUERY)]
    (told,) = a2a_agent.texts
    assert '"warehouse"' in told

    host.close_side_panel(page)
    reopened = ChatPanel(host.side_panel(page))
    reopened.expect_done("The analyst says:")
    assert llm.unanswered == 0
