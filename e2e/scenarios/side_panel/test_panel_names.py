"""The panel's names ``tab<id>__<f(name)>``: legal, at most 64 characters, stable, and mapped back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [
    pytest.mark.requirement("chain.panel.names"),
    pytest.mark.webmcp_runtime("native"),
]

LONG = "a_name_that_goes_on_" * 6
HARD = ["plain", "a.b", "a-b", "a_b", LONG, LONG[:-1] + "X", "x" * 64, "x" * 128]

NAMES_PAGE = """<!doctype html><title>Names</title>
<script type="module">
  import {journaled} from "/js/journal.js";
  const names = new URLSearchParams(location.search).getAll("name");
  for (const name of names) {
    await document.modelContext.registerTool(journaled({
      name, description: "says its own name", inputSchema: {type: "object", properties: {}}, execute: () => name,
    }));
  }
  document.documentElement.dataset.tools = "ready";
</script>
"""


@pytest.fixture
def html_app(tmp_path: Path) -> Iterator[HtmlApp]:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "names.html").write_text(NAMES_PAGE)
    with HtmlApp([pages]) as app:
        yield app


def open_names(page: Page, html_app: HtmlApp, names: list[str]) -> None:
    page.goto(html_app.page("names.html") + "?" + "&".join(f"name={name}" for name in names))


def tab_names(panel: Page, count: int) -> list[str]:
    """The panel's names of the one selected tab, once it lists ``count`` tools."""
    expect(panel.get_by_test_id("source-tab").get_by_test_id("tool-count")).to_have_text(f"Tools: {count}")
    return [name for name in panel.evaluate("lumoPanel.tools()") if name.startswith("tab")]


@pytest.fixture
def panel(host: Extension, page: Page, html_app: HtmlApp) -> Page:
    open_names(page, html_app, HARD)
    return host.side_panel(page)


def test_names_are_legal_and_distinct(panel: Page) -> None:
    names = tab_names(panel, len(HARD))
    assert len(set(names)) == len(HARD)
    for name in names:
        assert re.fullmatch(r"tab\d+__[A-Za-z0-9_-]+", name)
        assert len(name) <= 64


def test_each_name_leads_back_to_its_own_tool(panel: Page, html_app: HtmlApp) -> None:
    said = {}
    for name in tab_names(panel, len(HARD)):
        said[name] = panel.evaluate("(name) => lumoPanel.call(name)", name)["content"][0]["text"]
    assert sorted(said.values()) == sorted(HARD)
    assert sorted(one.tool for one in html_app.invocations) == sorted(HARD)


def test_f_is_the_name_itself_where_it_fits_and_a_hash_of_it_where_not(panel: Page) -> None:
    names = tab_names(panel, len(HARD))
    prefix = names[0].split("__")[0] + "__"
    assert prefix + "plain" in names
    assert prefix + "a-b" in names
    assert f"{prefix}a_b_{hashlib.sha256(b'a.b').hexdigest()[:6]}" in names
    assert any(name.endswith("_" + hashlib.sha256(LONG.encode()).hexdigest()[:6]) for name in names)


def test_names_do_not_depend_on_order_or_on_other_tools(panel: Page, page: Page, html_app: HtmlApp) -> None:
    before = set(tab_names(panel, len(HARD)))
    open_names(page, html_app, HARD[::-1][:5])
    after = set(tab_names(panel, 5))
    assert after <= before


def test_a_name_made_to_look_like_anothers_hash_stays_apart(host, page: Page, html_app: HtmlApp) -> None:
    forged = f"a_b_{hashlib.sha256(b'a.b').hexdigest()[:6]}"
    open_names(page, html_app, ["a.b", forged])
    panel = host.side_panel(page)
    first, second = tab_names(panel, 2)
    assert first != second
    said = [
        panel.evaluate("(name) => lumoPanel.call(name)", name)["content"][0]["text"]
        for name in (first, second)
    ]
    assert said == ["a.b", forged]


def test_the_card_shows_the_public_name(panel: Page) -> None:
    names = tab_names(panel, len(HARD))
    shown = panel.get_by_test_id("source-tab").locator("summary").all_inner_texts()
    assert shown == names
