"""Remote agents as a person binds them: list, add, edit, test, delete in two steps, and what is kept of it."""

from __future__ import annotations

import pytest
from a2a_panel import A2aPanel
from chat_panel import PATIENCE, labelled
from playwright.sync_api import Page, expect

from webmcp_e2e.agent_fixtures import MakeA2aAgent
from webmcp_e2e.browser import Extension
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.requirement("a2a.bindings")]


def test_add_test_edit_and_delete(
    host: Extension, page: Page, html_app: HtmlApp, a2a_agent: A2aAgent, scripted_a2a_agent: MakeA2aAgent
) -> None:
    page.goto(html_app.page("plain.html"))
    panel = A2aPanel(host.side_panel(page))
    expect(panel.panel.get_by_test_id("a2a-empty")).to_contain_text("Add one by the URL of its agent card")

    panel.button("Add agent").click()
    panel.fill(agent_id="bad id", card_url="javascript:alert(1)", token="two words")
    panel.press_save()
    for field in ("id", "cardUrl", "token"):
        expect(panel.form.get_by_test_id(f"problem-{field}")).to_be_visible()
    assert host.storage.get("a2aAgents") is None

    panel.fill(agent_id="analyst", card_url=a2a_agent.card_url, token="first-token")
    panel.form.get_by_role("button", name="Test connection").click()
    expect(panel.form.get_by_role("status")).to_contain_text("Order analyst answers", timeout=PATIENCE)
    panel.save()
    panel.expect_state("analyst", "ready")
    expect(panel.agent("analyst")).to_contain_text("Analyse orders")
    assert host.storage.get("a2aTokens") == {"analyst": "first-token"}

    dead = scripted_a2a_agent()
    panel.add("dead", dead.card_url)
    panel.expect_state("dead", "ready")
    dead.close()
    panel.button("Test dead").click()
    expect(panel.agent("dead").get_by_test_id("error-code")).to_have_text("a2a_network", timeout=PATIENCE)
    panel.expect_state("dead", "error")

    panel.button("Edit analyst").click()
    token = labelled(panel.form, "Bearer token")
    expect(token).to_have_value("")
    panel.save()
    assert host.storage.get("a2aTokens") == {"analyst": "first-token"}, "an empty box keeps the token"
    panel.button("Edit analyst").click()
    panel.fill(agent_id="dead", token=a2a_agent.token)
    panel.press_save()
    expect(panel.form.get_by_test_id("problem-id")).to_contain_text("already")
    panel.fill(agent_id="analyst_2")
    panel.save()
    panel.expect_state("analyst_2", "ready")
    assert host.storage.get("a2aTokens") == {"analyst_2": a2a_agent.token}
    assert a2a_agent.token not in str(host.storage.get("a2aAgents"))
    assert_not_shown(panel, a2a_agent.token)
    panel.button("Edit analyst_2").click()
    panel.form.get_by_role("checkbox", name="Remove token").check()
    panel.save()
    expect(panel.agent("analyst_2").get_by_test_id("a2a-token")).to_have_text("none")
    assert host.storage.get("a2aTokens") == {}

    delete_by_keyboard(panel, "analyst_2")
    expect(panel.agents).to_have_count(1)
    assert [one["id"] for one in host.storage.get("a2aAgents")] == ["dead"]


def delete_by_keyboard(panel: A2aPanel, agent_id: str) -> None:
    """The first Enter only asks; Escape puts it back."""
    keyboard = panel.panel.keyboard
    panel.button(f"Delete {agent_id}").focus()
    keyboard.press("Enter")
    expect(panel.button(f"Really delete {agent_id}")).to_be_focused()
    keyboard.press("Escape")
    expect(panel.button(f"Delete {agent_id}")).to_be_focused()
    keyboard.press("Enter")
    keyboard.press("Enter")


def assert_not_shown(panel: A2aPanel, token: str) -> None:
    """Neither as text nor as any value of a control, in whatever shadow root."""
    assert token not in panel.panel.locator("body").inner_text()
    values = [one.input_value() for one in panel.panel.get_by_role("textbox").all()]
    assert token not in values
