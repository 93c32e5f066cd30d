"""The real side panel is a Playwright page: seen by Chromium as a side panel, driven like any page, headless."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("harness.side-panel"), pytest.mark.webmcp_runtime("native")]

PANELS = """async () => {
  const found = await chrome.runtime.getContexts({ contextTypes: ["SIDE_PANEL"] });
  return found.map(({ documentUrl, tabId }) => ({ documentUrl, tabId }));
}"""
PNG = b"\x89PNG\r\n\x1a\n"


def test_chromium_says_it_is_a_side_panel(host: Extension, side_panel: Page) -> None:
    (panel,) = side_panel.evaluate(PANELS)

    assert panel["documentUrl"] == side_panel.url
    assert panel["tabId"] == -1, "it is in no tab"
    assert side_panel.url.startswith(f"chrome-extension://{host.id}/")


def test_the_page_beside_it_stays_the_active_tab(host: Extension, page: Page, html_app: HtmlApp) -> None:
    page.goto(html_app.page("plain.html"))

    panel = host.side_panel(page)

    tabs = panel.evaluate("chrome.tabs.query({ active: true, currentWindow: true })")
    assert [tab["url"] for tab in tabs] == [page.url]


def test_it_is_clicked_seen_and_photographed(side_panel: Page) -> None:
    side_panel.evaluate("document.body.insertAdjacentHTML('beforeend', '<button id=probe>Probe</button>')")
    side_panel.evaluate("() => { probe.onclick = () => { probe.textContent = 'clicked'; }; }")

    side_panel.locator("#probe").click()

    expect(side_panel.locator("#probe")).to_have_text("clicked")
    assert side_panel.screenshot().startswith(PNG)
    assert side_panel.evaluate("innerWidth") < 800, "as wide as a panel, not as a tab"


def test_init_scripts_run_before_the_panels_own(
    extension_browser: ExtensionBrowser, host: Extension, page: Page
) -> None:
    page.context.add_init_script("globalThis.bodyAtInit = document.body === null ? 'not yet' : 'there';")

    panel = host.side_panel(page)

    assert panel.evaluate("globalThis.bodyAtInit") == "not yet"


def test_asking_again_gives_the_open_panel(host: Extension, page: Page, side_panel: Page) -> None:
    assert host.side_panel(page) is side_panel
    assert len(side_panel.evaluate(PANELS)) == 1


def test_it_closes_and_opens_again(host: Extension, page: Page, side_panel: Page) -> None:
    host.close_side_panel(page)
    assert side_panel.is_closed()
    assert host.worker.evaluate(PANELS) == []

    again = host.side_panel(page)

    assert again is not side_panel
    assert len(again.evaluate(PANELS)) == 1
    expect(again.locator("body")).to_be_visible()


def test_a_second_window_has_a_panel_of_its_own(
    extension_browser: ExtensionBrowser, host: Extension, page: Page, side_panel: Page
) -> None:
    with page.context.expect_page() as opening:
        extension_browser.cdp("Target.createTarget", {"url": "about:blank", "newWindow": True})

    second = host.side_panel(opening.value)

    windows = {
        panel.evaluate("chrome.windows.getCurrent().then(({ id }) => id)") for panel in (side_panel, second)
    }
    assert len(windows) == 2
    assert len(second.evaluate(PANELS)) == 2
    host.close_side_panel(opening.value)
    assert second.is_closed()
    assert not side_panel.is_closed()


def test_it_opens_while_the_worker_sleeps(host: Extension, page: Page) -> None:
    host.worker.stop()

    panel = host.side_panel(page)

    assert len(panel.evaluate(PANELS)) == 1
