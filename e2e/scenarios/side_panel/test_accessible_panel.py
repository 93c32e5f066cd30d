"""The panel serves everybody: axe finds nothing, the keyboard alone suffices, 320 px are enough, dark is dark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from full_panel import fill_all, set_up
from panel_tabs import FITS, TABS, card, open_card, overflow, register, show, tab
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Llm

pytestmark = [pytest.mark.requirement("panel.a11y"), pytest.mark.webmcp_runtime("native")]

AXE = Path(__file__).parents[3] / "extensions/node_modules/axe-core/axe.min.js"
RUN_AXE = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ["violations"]});
  const told = (node) => `${node.target.flat().join(" ")}: ${node.failureSummary}`;
  return violations.flatMap(({id, nodes}) => nodes.map((node) => `${id} ${told(node)}`));
}"""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
TAGS = {"en": re.compile("^en"), "zh_CN": "zh-CN"}
DARKEST_LIGHT = 128
"""Of 255: a light background is above, a dark one below."""


def violations(panel: Page) -> list[str]:
    """What axe finds wrong with the panel as it stands: rule, element, what to mend."""
    found: list[str] = panel.evaluate(RUN_AXE)
    return found


@pytest.fixture
def panel(chain: Chain, llm: Llm, a2a_agent: A2aAgent) -> Page:
    """The panel with something in each tab, and a tool of the page that was rejected."""
    register(chain.page, [{"name": "webmcp_reserved"}])
    panel = set_up(chain, llm, a2a_agent)
    fill_all(chain, panel, llm)
    return panel


def open_forms(panel: Page) -> None:
    """Forms that stand closed: of a tool with history and schema, of the model, of an agent, a refused provider."""
    show(panel, "tools")
    total = card(panel, "sum")
    total.get_by_test_id("tool-history").locator("summary").click()
    total.get_by_test_id("tool-schema").locator("summary").click()
    open_card(card(panel, "form_fill_fields"))
    show(panel, "settings").get_by_role("button", name="Edit").click()
    show(panel, "a2a").get_by_role("button", name="Add agent").click()
    providers = show(panel, "providers")
    providers.get_by_role("textbox").fill("wrong")
    providers.get_by_role("button", name="Add").click()
    expect(providers.get_by_test_id("provider-refused")).to_be_visible()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with the checkout's npm packages (make setup)")
def test_axe_finds_nothing_on_any_tab_in_both_themes_and_languages(panel: Page) -> None:
    # else axe measures a colour on its way to another
    panel.emulate_media(reduced_motion="reduce")
    expect(panel.locator("#tab-chat")).to_have_css("transition-duration", "0s")
    open_forms(panel)
    panel.evaluate(AXE.read_text())
    wrong: list[str] = []
    for language in ("en", "zh_CN"):
        show(panel, "settings").get_by_test_id("language").select_option(language)
        expect(panel.locator("html")).to_have_attribute("lang", TAGS[language])
        for scheme in SCHEMES:
            panel.emulate_media(color_scheme=scheme)
            for name in TABS:
                show(panel, name)
                wrong += [f"{name} {scheme} {language}: {found}" for found in violations(panel)]
    assert wrong == []


def brightness(panel: Page) -> int:
    """Of the panel's background, 0 to 255."""
    red: int = panel.evaluate(
        "Number(/\\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)[0])"
    )
    return red


def test_the_theme_is_the_systems(side_panel: Page) -> None:
    side_panel.emulate_media(color_scheme="dark")
    assert brightness(side_panel) < DARKEST_LIGHT
    side_panel.emulate_media(color_scheme="light")
    assert brightness(side_panel) > DARKEST_LIGHT


def tab_to(panel: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus, as somebody without a mouse does."""
    for _ in range(80):
        panel.keyboard.press("Tab")
        if panel.evaluate(
            """(name) => {
              let at = document.activeElement;
              while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
              const said = at?.getAttribute("aria-label") ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? "";
              return said.trim().startsWith(name);
            }""",
            name,
        ):
            return
    pytest.fail(f"Tab never comes to {name!r}")


def to_tab(panel: Page, name: str) -> None:
    """Go to a tab by the row's arrow keys, from wherever the focus is."""
    tab_to(panel, panel.locator("[role=tab][aria-selected=true]").get_attribute("aria-label") or "")
    while tab(panel, name).get_attribute("aria-selected") == "false":
        panel.keyboard.press("ArrowRight")
        expect(panel.locator("[role=tab]:focus")).to_have_attribute("aria-selected", "true")


def test_a_whole_visit_by_keyboard_alone(host: Extension, page: Page, html_app: HtmlApp) -> None:
    page.goto(html_app.page(lab=""))
    panel = host.side_panel(page)
    expect(card(panel, "sum")).to_be_visible()

    tab_to(panel, "Filter tools")
    panel.keyboard.type("adds two")
    expect(panel.get_by_test_id("source-tab").get_by_test_id("tool")).to_have_count(1)
    panel.keyboard.press("Tab")
    panel.keyboard.press("Enter")
    expect(card(panel, "sum").get_by_test_id("tool-call")).to_be_visible()
    tab_to(panel, "a")
    panel.keyboard.type("20")
    tab_to(panel, "b")
    panel.keyboard.type("22")
    tab_to(panel, "Call")
    panel.keyboard.press("Space")
    expect(card(panel, "sum").get_by_test_id("tool-result")).to_contain_text("42")

    to_tab(panel, "settings")
    tab_to(panel, "Language")
    panel.keyboard.press("End")
    expect(panel.locator("html")).to_have_attribute("lang", "zh-CN")
    panel.keyboard.press("Home")
    expect(panel.locator("html")).to_have_attribute("lang", TAGS["en"])
    tab_to(panel, "Clear log")
    panel.keyboard.press("Enter")
    panel.keyboard.press("Enter")
    expect(panel.get_by_test_id("log-size")).to_have_text("Entries: 0")

    to_tab(panel, "tabs")
    tab_to(panel, "")
    panel.keyboard.press("Space")
    expect(panel.get_by_test_id("no-selection")).to_be_visible()


def test_nothing_is_cut_off_at_320_px(panel: Page) -> None:
    open_forms(panel)
    panel.set_viewport_size({"width": 320, "height": 700})
    for language in ("zh_CN", "en"):
        show(panel, "settings").get_by_test_id("language").select_option(language)
        expect(panel.locator("html")).to_have_attribute("lang", TAGS[language])
        for name in TABS:
            show(panel, name)
            assert overflow(panel) == FITS, f"{name} is too large in {language}"
    for name in TABS:
        label = tab(panel, name).locator("span")
        assert label.evaluate("(at) => at.scrollWidth <= at.clientWidth + 1"), f"{name}'s label is cut"
