"""The tabs of the real side panel and the cards of its tools, as a person uses them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Locator, Page, expect

TABS = ("chat", "tools", "relay", "tabs", "a2a", "settings", "providers")
"""Test ids are ``view-<name>``, in the panel's order."""

PATIENCE = 15_000
"""Milliseconds that a state may take on a busy machine; nothing is proven by its length."""

_REGISTER = """
(tools) => Promise.all(
  tools.map((tool) => document.modelContext.registerTool({...tool, execute: (args) => tool.answer ?? args})))
"""


def tab(panel: Page, name: str) -> Locator:
    """The tab itself."""
    return panel.get_by_test_id(f"view-{name}")


def content(panel: Page, name: str) -> Locator:
    """What a tab shows."""
    return panel.locator(f"#panel-{name}")


def show(panel: Page, name: str) -> Locator:
    """Go to a tab and wait for its content."""
    tab(panel, name).click()
    expect(content(panel, name).locator("> *").first).to_be_visible(timeout=PATIENCE)
    return content(panel, name)


def register(page: Page, tools: Iterable[dict[str, Any]]) -> None:
    """Register tools in the page; each gives its ``answer``, or else its arguments back."""
    page.evaluate(_REGISTER, [{"description": "d", **tool} for tool in tools])


def card(panel: Page, tool: str) -> Locator:
    """The card of a page tool, by the end of its public name."""
    return panel.locator(f"[data-testid=tool][data-tool$='__{tool}']")


def open_card(found: Locator) -> Locator:
    """Open a tool's card if it is closed."""
    if found.get_attribute("open") is None:
        found.locator("summary").first.click()
    expect(found.get_by_test_id("tool-call")).to_be_visible(timeout=PATIENCE)
    return found


def type_json(found: Locator, text: str) -> None:
    """Type the arguments as JSON; a tool whose schema names no member has no form to leave."""
    if found.get_by_test_id("arguments-json").count():
        found.get_by_test_id("arguments-json").click()
    found.get_by_test_id("tool-arguments").fill(text)


def call_by_hand(panel: Page, tool: str, args: dict[str, Any]) -> Locator:
    """Open the card, type the arguments, press Call; the card."""
    found = open_card(card(panel, tool))
    type_json(found, json.dumps(args))
    found.get_by_test_id("tool-call").click()
    return found


def labelled(found: Locator, label: str) -> Locator:
    """A control by the beginning of its label; a mark or a hint may follow."""
    return found.get_by_label(re.compile(rf"^{re.escape(label)}\b"))


def overflow(panel: Page) -> dict[str, int]:
    """By how many pixels the document scrolls at all, and the shown tab sideways: all must be 0."""
    found: dict[str, int] = panel.evaluate(
        """() => {
          const shown = document.querySelector("lumo-app").shadowRoot.querySelector("[role=tabpanel]:not([hidden])");
          const root = document.documentElement;
          return {
            right: root.scrollWidth - root.clientWidth,
            down: root.scrollHeight - root.clientHeight,
            tab: shown.scrollWidth - shown.clientWidth,
          };
        }"""
    )
    return found


FITS = {"right": 0, "down": 0, "tab": 0}
