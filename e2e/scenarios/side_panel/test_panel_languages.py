"""English and Simplified Chinese: by the browser's language, or as the user chooses, at once and for good."""

from __future__ import annotations

import re

import pytest
from panel_tabs import TABS, call_by_hand, show, tab
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("panel.i18n"), pytest.mark.webmcp_runtime("native")]

CHINESE = ("对话", "工具", "中继", "数据源", "A2A 智能体", "设置", "提供方")
WORDS = """() => {
  const said = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.closest("[hidden]")) continue;
      if (element.shadowRoot) visit(element.shadowRoot);
      if (element.closest("code, pre, option, style, [data-testid=tool-description]")) continue;
      for (const name of ["aria-label", "placeholder"]) said.push(element.getAttribute(name) ?? "");
      for (const node of element.childNodes) if (node.nodeType === 3) said.push(node.textContent);
    }
  };
  visit(document.querySelector("lumo-app").shadowRoot);
  return said.map((text) => text.trim()).filter(Boolean);
}"""
"""Every text and name of the panel that is neither hidden nor a page's nor code."""

ENGLISH_SENTENCE = re.compile(r"[A-Za-z]{2,}[ ,:]+[a-z]{2,} [a-z]{2,}")


def test_the_language_changes_at_once_and_stays(host: Extension, page: Page, html_app: HtmlApp) -> None:
    page.goto(html_app.page())
    panel = host.side_panel(page)
    call_by_hand(panel, "get_status", {})
    result = panel.get_by_test_id("tool-result")
    expect(result).to_be_visible()
    for name in TABS:
        show(panel, name)
    panel.evaluate("document.sameDocument = true")

    show(panel, "settings").get_by_test_id("language").select_option("zh_CN")
    for name, chinese in zip(TABS, CHINESE, strict=True):
        expect(tab(panel, name)).to_have_attribute("aria-label", chinese)
    expect(panel.locator("html")).to_have_attribute("lang", "zh-CN")
    english = {}
    for name in TABS:
        show(panel, name)
        english[name] = [text for text in panel.evaluate(WORDS) if ENGLISH_SENTENCE.search(text)]
    assert {name: said for name, said in english.items() if said} == {}
    show(panel, "tools")
    expect(result).to_be_visible()
    assert panel.evaluate("document.sameDocument"), "no reload: nothing that ran is lost"

    host.close_side_panel(page)
    panel = host.side_panel(page)
    expect(tab(panel, "tools")).to_have_attribute("aria-label", "工具")
    assert host.storage.get("panelSettings") == {"language": "zh_CN"}
    show(panel, "settings").get_by_test_id("language").select_option("auto")
    expect(tab(panel, "tools")).to_have_attribute("aria-label", "Tools")


class TestChineseBrowser:
    """The browser's language decides until the user chooses another one."""

    @pytest.fixture
    def webmcp_chromium_args(self) -> list[str]:
        return ["--lang=zh-CN"]

    def test_the_panel_is_chinese(self, side_panel: Page) -> None:
        expect(tab(side_panel, "tools")).to_have_attribute("aria-label", "工具")
        expect(side_panel.locator("html")).to_have_attribute("lang", "zh-CN")
        show(side_panel, "settings").get_by_test_id("language").select_option("en")
        expect(tab(side_panel, "tools")).to_have_attribute("aria-label", "Tools")
