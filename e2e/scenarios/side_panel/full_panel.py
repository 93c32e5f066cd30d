"""The panel with something in each of its tabs, as after an hour's work."""

from __future__ import annotations

from panel_tabs import PATIENCE, card, labelled, open_card, show
from playwright.sync_api import Page, expect

from webmcp_e2e.chain import Chain
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.llm import Llm, LlmRequest, ToolCall

NOT_INSTALLED = "abcdefghijklmnop" * 2
QUESTION = "Query the open orders of Lyon and have the analyst analyse them."
QUERY = {"warehouse": "Lyon", "status": "open", "pageSize": 100}


def set_up(chain: Chain, llm: Llm, a2a_agent: A2aAgent, *provider_ids: str) -> Page:
    """Store a language model, a remote agent and providers; the panel."""
    config = {"protocol": "openai-compat", "baseUrl": llm.openai_url, "path": "/chat/completions"}
    chain.host.storage.set(
        {
            "llmConfig": {**config, "model": "test-model-1"},
            "llmKey": llm.api_key,
            "llmKeyOrigin": llm.origin,
            "a2aAgents": [{"id": "analyst", "cardUrl": a2a_agent.card_url}],
            "a2aTokens": {"analyst": a2a_agent.token},
            "providers": [*provider_ids, NOT_INSTALLED],
        }
    )
    return chain.host.side_panel(chain.page)


def sum_up(request: LlmRequest) -> list[str | ToolCall]:
    """The model's last word: the analyst's, out of its wrapping, in Markdown."""
    said = [line for line in request.tool_results[-1].splitlines() if not line.startswith("[")]
    quoted = "\n".join(f"> {line}" for line in said)
    return [
        f"### Open orders of Lyon\n\n{quoted}\n\n"
        "| Step | Tool |\n|---|---|\n| 1 | `query_table_data` |\n| 2 | `send_task` |\n\n"
        "**Next**: ship the oldest first, see the [order desk](https://example.com/orders)."
    ]


def fill_chat(panel: Page, llm: Llm) -> None:
    """A question, calls of the page and of the analyst, and an answer in Markdown."""

    def hand_over(request: LlmRequest) -> list[str | ToolCall]:
        message = f"Analyse these orders: {request.tool_results[-1]}"
        return ["The analyst gets them.", ToolCall("a2a__analyst__send_task", {"task": message})]

    llm.reply_by(
        lambda request: ["I look up the orders.", ToolCall(request.tool("__query_table_data"), QUERY)]
    )
    llm.reply_by(hand_over)
    llm.reply_by(sum_up)
    chat = show(panel, "chat")
    chat.get_by_role("combobox", name="Agent").select_option(label="Multi-turn loop")
    chat.get_by_role("textbox", name="Message").fill(QUESTION)
    panel.keyboard.press("Enter")
    answer = chat.locator("[data-testid=message][data-role=assistant]").last
    expect(answer).to_have_attribute("data-state", "done", timeout=PATIENCE)
    expect(answer.get_by_role("table")).to_be_visible()


def fill_tools(panel: Page) -> None:
    """Results, an error, an open form, history and schema."""
    show(panel, "tools")
    failing = open_card(card(panel, "always_fail"))
    failing.get_by_test_id("tool-call").click()
    expect(failing.get_by_test_id("error-code")).to_have_text("page_error")
    failing.locator("summary").first.click()
    open_card(card(panel, "form_fill_fields")).locator("summary").first.click()
    total = open_card(card(panel, "sum"))
    labelled(total, "a").fill("20")
    labelled(total, "b").fill("22")
    total.get_by_test_id("tool-call").click()
    expect(total.get_by_test_id("tool-result")).to_contain_text("42")


def fill_relay(chain: Chain) -> None:
    """Calls of an MCP client, good and bad."""
    chain.call("get_status")
    chain.call("sum", {"a": "twenty", "b": 22})
    chain.call("query_table_data", {"warehouse": "Lyon"})


def fill_providers(panel: Page) -> None:
    """What was typed is refused, and one that is not installed."""
    providers = show(panel, "providers")
    missing = providers.locator(f"[data-provider-id={NOT_INSTALLED}]")
    expect(missing.get_by_test_id("provider-code")).to_have_text("not_installed", timeout=PATIENCE)


def fill_all(chain: Chain, panel: Page, llm: Llm) -> None:
    """Something in each tab."""
    fill_relay(chain)
    fill_tools(panel)
    fill_chat(panel, llm)
    fill_providers(panel)
    agents = show(panel, "a2a")
    expect(agents.get_by_test_id("a2a-agent")).to_have_attribute("data-state", "ready", timeout=PATIENCE)
