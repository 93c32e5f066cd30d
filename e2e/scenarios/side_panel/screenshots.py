"""Pictures of each tab in both languages and themes for ``docs/screenshots``: ``make screenshots``."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Literal

import pytest
from full_panel import fill_all, set_up
from panel_tabs import TABS, card, show
from playwright.sync_api import Page, expect

from webmcp_e2e.chain import Chain
from webmcp_e2e.lumo.scripted import tool
from webmcp_e2e.lumo_fixtures import MakeProvider
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.llm import Llm

pytestmark = [pytest.mark.requirement("panel.tabs"), pytest.mark.webmcp_runtime("native")]

OUT = Path(__file__).parents[3] / "docs/screenshots"
SIZE = {"width": 400, "height": 800}
LANGUAGES = {"en": "en", "zh": "zh_CN"}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NO_CHINESE = (
    "no font has Chinese characters, so they would be boxes. Install one: apt-get install fonts-noto-cjk"
)


def has_chinese() -> bool:
    """Whether the browser will find a font for Chinese; where nobody can tell, it is believed to."""
    if shutil.which("fc-list") is None:
        return True
    listed = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip())


@pytest.fixture
def panel(chain: Chain, llm: Llm, a2a_agent: A2aAgent, scripted_provider: MakeProvider) -> Page:
    """The panel in use, at its size on the pictures."""
    notes = [tool("search_notes", description="Finds notes by words."), tool("add_note")]
    provider = scripted_provider(name="Notebook", namespace="notes", tools=notes)
    chain.page.context.new_page().goto(chain.html_app.page("plain.html"))
    panel = set_up(chain, llm, a2a_agent, provider.id)
    panel.set_viewport_size({"width": SIZE["width"], "height": SIZE["height"]})
    fill_all(chain, panel, llm)
    return panel


def compose(panel: Page, name: str) -> None:
    """Scroll a tab to what is worth a picture."""
    if name == "tools":
        card(panel, "sum").evaluate("(at) => at.scrollIntoView({block: 'center'})")
    else:
        panel.locator(f"#panel-{name}").evaluate("(at) => at.scrollTo(0, 0)")
    panel.mouse.move(0, 0)


def test_each_tab_in_both_languages_and_themes(panel: Page) -> None:
    if not has_chinese():
        pytest.fail(NO_CHINESE)
    OUT.mkdir(parents=True, exist_ok=True)
    for short, language in LANGUAGES.items():
        show(panel, "settings").get_by_test_id("language").select_option(language)
        expect(panel.locator("html")).to_have_attribute("lang", re.compile(f"^{short}"))
        for scheme in SCHEMES:
            panel.emulate_media(color_scheme=scheme)
            for name in TABS:
                show(panel, name)
                compose(panel, name)
                panel.screenshot(path=OUT / f"{short}-{name}-{scheme}.png", animations="disabled")
