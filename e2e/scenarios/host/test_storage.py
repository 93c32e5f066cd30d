"""Content scripts share a process with the page: they cannot read what the extension stores."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension, Worker

pytestmark = [
    pytest.mark.requirement("chain.storage"),
    pytest.mark.webmcp_runtime("native"),
]

READ_IN_CONTENT_SCRIPT = """
async ({url, area}) => {
  const [tab] = await chrome.tabs.query({url});
  const read = async (area) => {
    try {
      return {keys: Object.keys(await chrome.storage[area].get(null))};
    } catch (cause) {
      return {refused: String(cause)};
    }
  };
  const [frame] = await chrome.scripting.executeScript({target: {tabId: tab.id}, func: read, args: [area]});
  return frame.result;
}
"""


def assert_refused(context: Page | Worker, url: str) -> None:
    for area in ("local", "session"):
        answer = context.evaluate(READ_IN_CONTENT_SCRIPT, {"url": url, "area": area})
        assert "not allowed" in answer.get("refused", ""), answer


def test_a_content_script_is_refused_from_the_first_start_on(host: Extension, page: Page, html_app) -> None:
    page.goto(html_app.url)
    host.storage.set({"secret": "not for pages"})
    assert_refused(host.worker, page.url)


def test_it_stays_so_over_stop_and_reload(host: Extension, page: Page, html_app) -> None:
    page.goto(html_app.url)
    host.worker.stop()
    assert_refused(host.side_panel(page), page.url)
    host.close_side_panel(page)
    host.reload()
    assert_refused(host.worker, page.url)
