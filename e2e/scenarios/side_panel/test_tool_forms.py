"""Any tool is called from a form that is made of its schema, or with JSON; results, history and stop stand below it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from panel_tabs import card, labelled, open_card, register, type_json
from playwright.sync_api import Locator, Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("panel.debug"), pytest.mark.webmcp_runtime("native")]

LINE = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["sku", "count"],
}
ORDER = {
    "type": "object",
    "properties": {
        "customer": {"type": "string", "title": "Customer", "description": "Who orders."},
        "amount": {"type": "number", "minimum": 0},
        "express": {"type": "boolean"},
        "gift": {"type": "boolean"},
        "status": {"enum": ["open", "shipped"]},
        "priority": {"oneOf": [{"const": 1, "title": "low"}, {"const": 2, "title": "high"}]},
        "due": {"type": "string", "format": "date"},
        "address": {
            "type": "object",
            "properties": {"street": {"type": "string"}, "zip": {"type": "string"}},
            "required": ["street"],
        },
        "billing": {"type": "object", "properties": {"vat": {"$ref": "#/$defs/vat"}}},
        "lines": {"type": "array", "items": LINE},
        "tags": {"type": "array", "items": {"type": "string"}},
        "extra": {},
        "note": {"type": "string"},
    },
    "required": ["customer", "amount", "express", "status", "address", "lines"],
    "$defs": {"vat": {"type": "string"}},
}
ARGS: dict[str, Any] = {
    "customer": "Ada",
    "amount": 12.5,
    "express": True,
    "status": "shipped",
    "priority": 2,
    "due": "2026-11-30",
    "address": {"street": "1 Quay"},
    "billing": {"vat": "DE1"},
    "lines": [{"sku": "b", "count": 2}],
    "tags": ["x"],
    "extra": {"deep": [None]},
}


@pytest.fixture
def panel(host: Extension, page: Page, html_app: HtmlApp) -> Page:
    """The panel beside a page with one rich tool, which gives its arguments back."""
    page.goto(html_app.page(lab=""))
    register(page, [{"name": "order", "inputSchema": ORDER, "annotations": {"readOnlyHint": True}}])
    return host.side_panel(page)


def add_to(order: Locator, name: str) -> None:
    """Press the button that adds an item or an optional group."""
    order.locator(f"[data-add={name}]").click()


def fill_in(order: Locator) -> None:
    """Fill in the form as ``ARGS`` has it, the amount left out."""
    labelled(order, "Customer").fill("Ada")
    labelled(order, "express").select_option("true")
    labelled(order, "status").select_option(label="shipped")
    labelled(order, "priority").select_option(label="high")
    labelled(order, "due").fill("2026-11-30")
    labelled(order, "street").fill("1 Quay")
    add_to(order, "billing")
    labelled(order, "vat").fill("DE1")
    add_to(order, "lines")
    add_to(order, "lines")
    order.locator("[data-path='lines.1.sku'] input").fill("b")
    order.locator("[data-path='lines.1.count'] input").fill("2")
    order.get_by_role("button", name="Remove: lines 1").click()
    add_to(order, "tags")
    order.locator("[data-path='tags.0'] input").fill("x")
    labelled(order, "extra").fill('{"deep": [null]}')


def test_a_nested_form_is_filled_in_corrected_called_and_used_again(panel: Page, page: Page) -> None:
    order = open_card(card(panel, "order"))
    result = order.get_by_test_id("tool-result")
    expect(order).to_contain_text("only reads")
    required = order.locator(".label", has=panel.locator(".required"))
    expect(required).to_have_count(len(ORDER["required"]) + 1)  # and the street of the address

    fill_in(order)
    order.get_by_test_id("tool-call").click()
    expect(order.get_by_test_id("arguments-problem")).to_have_attribute("data-code", "invalid_form")
    expect(order.locator("[data-path=amount]")).to_contain_text("Needs a value.")
    expect(labelled(order, "amount")).to_have_attribute("aria-invalid", "true")
    assert result.count() == 0, "nothing was called"
    labelled(order, "amount").fill("12,5")
    order.get_by_test_id("tool-call").click()
    expect(order.locator("[data-path=amount]")).to_contain_text("Is no number.")
    labelled(order, "amount").fill("12.5")
    labelled(order, "amount").press("Tab")
    order.get_by_test_id("tool-call").press("Enter")
    expect(result).to_be_visible()
    assert json.loads(result.inner_text()) == ARGS

    # Another tool comes: what was typed stays.
    page.evaluate("document.modelContext.registerTool({name: 'later', description: 'd', execute: () => 1})")
    expect(card(panel, "later")).to_be_visible()
    expect(labelled(order, "Customer")).to_have_value("Ada")

    order.get_by_role("button", name="JSON").click()
    assert json.loads(order.get_by_test_id("tool-arguments").input_value()) == ARGS
    type_json(order, json.dumps({**ARGS, "unheard": 1}))
    order.get_by_role("button", name="Form").click()
    expect(order.get_by_test_id("arguments-problem")).to_have_attribute("data-code", "form_cannot_show")
    second = {**ARGS, "customer": "Bo", "lines": [], "note": "second"}
    type_json(order, json.dumps(second))
    order.get_by_role("button", name="Form").click()
    expect(labelled(order, "Customer")).to_have_value("Bo")
    order.get_by_test_id("tool-call").click()
    expect(result).to_contain_text("second")
    assert json.loads(result.inner_text()) == second

    order.get_by_test_id("tool-history").locator("summary").click()
    expect(order.get_by_test_id("past-call")).to_have_count(2)
    order.get_by_role("button", name="Use again").last.click()
    expect(labelled(order, "Customer")).to_have_value("Ada")
    assert json.loads(result.inner_text()) == ARGS


def test_every_kind_of_tool_is_found_understood_and_called(
    panel: Page, page: Page, html_app: HtmlApp
) -> None:
    tools = panel.locator("#panel-tools")
    tools.get_by_role("searchbox", name="Filter tools").fill("extension document")
    expect(tools.get_by_test_id("tool")).to_have_count(1)
    builtin = open_card(tools.get_by_test_id("tool"))
    labelled(builtin, "includeOutline").select_option("true")
    builtin.get_by_test_id("tool-call").click()
    expect(builtin.get_by_test_id("tool-result")).to_contain_text(page.url)
    tools.get_by_role("searchbox", name="Filter tools").fill("")

    echo = open_card(card(panel, "echo"))
    echo.get_by_test_id("tool-schema").locator("summary").click()
    expect(echo.get_by_role("group", name="Input schema")).to_contain_text('"required": [\n    "text"\n  ]')

    failing = open_card(card(panel, "always_fail"))
    failing.get_by_test_id("tool-call").click()
    expect(failing.get_by_test_id("error-code")).to_have_text("page_error")
    big = open_card(card(panel, "big"))
    labelled(big, "bytes").fill("400000")
    big.get_by_test_id("tool-call").click()
    expect(big.get_by_test_id("result-cut")).to_contain_text("400000")
    assert len(big.get_by_test_id("tool-result").inner_text()) == 100_000

    slow = open_card(card(panel, "slow"))
    labelled(slow, "ms").fill("60000")
    slow.get_by_test_id("tool-call").click()
    html_app.wait_for_invocations(3)
    expect(slow.get_by_test_id("tool-running")).to_be_visible()
    expect(slow.get_by_test_id("tool-call")).to_be_disabled()
    slow.get_by_role("button", name="Stop").click()
    expect(slow.get_by_test_id("error-code")).to_have_text("cancelled")
    html_app.wait_for_outcome(3, "aborted")
