"""Public names, from real pages to the MCP client and back."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.contract import TAB_SELECTION_KEY
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.names"),
    pytest.mark.webmcp_runtime("native"),
]
LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
ORIGINALS = {"a.b", "a-b", "a_b", "plain", "n" * 64, "n" * 65, "n" * 63 + ".x"}


def names_of_pages(relay: Relay) -> set[str]:
    return {name for name in relay.page_tools() if not name.startswith("chrome_extension_")}


def tabs_of(relay: Relay) -> set[str]:
    return {source["tabId"] for source in relay.sources()}


def hashed(sanitized: str, original: str) -> str:
    """What spec chain.md §4 makes of a name that is not legal."""
    return f"{sanitized}_{sha256(original.encode()).hexdigest()[:6]}"


def select_all_tabs(host: Extension, origin: str) -> list[int]:
    script = "async (origin) => (await chrome.tabs.query({url: origin + '/*'})).map((tab) => tab.id)"
    ids: list[int] = host.worker.evaluate(script, origin)
    host.storage.set({TAB_SELECTION_KEY: {"tabIds": ids}}, area="session")
    return ids


def test_every_name_is_legal_and_distinct_and_leads_back(
    relay: Relay, host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page("names.html"))
    names = wait_until(
        lambda: len(names_of_pages(relay)) == len(ORIGINALS) and names_of_pages(relay), "all listed"
    )

    assert all(LEGAL.fullmatch(name) for name in names)
    assert {"a-b", "a_b", "plain", "n" * 64} <= names, "a legal name is kept"
    assert {hashed("a_b", "a.b"), hashed("n" * 57, "n" * 65)} <= names, "another one gets the hash of itself"
    for name in names:
        relay.call(name)
    assert {one.tool for one in html_app.invocations} == ORIGINALS
    assert len(html_app.invocations) == len(ORIGINALS)


def test_names_are_the_same_after_the_worker_and_the_page_were_made_anew(
    relay: Relay, host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page("names.html"))
    wait_until(lambda: len(names_of_pages(relay)) == len(ORIGINALS), "all listed")
    names = names_of_pages(relay)

    host.worker.stop()
    relay.call("plain")
    assert names_of_pages(relay) == names
    page.reload()
    page.wait_for_selector("html[data-tools=ready]", state="attached")
    wait_until(lambda: names_of_pages(relay) == names, "the same names after a reload")


def test_two_tabs_with_the_same_tools_have_distinct_names_that_stay(
    relay: Relay, host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page("names.html"))
    wait_until(lambda: len(names_of_pages(relay)) == len(ORIGINALS), "the first tab")
    first = names_of_pages(relay)
    other = page.context.new_page()
    other.goto(html_app.page("names.html", other=1))
    ids = select_all_tabs(host, html_app.origin)
    wait_until(lambda: len(names_of_pages(relay)) == 2 * len(ORIGINALS), "both tabs")
    second = names_of_pages(relay) - first

    assert all(LEGAL.fullmatch(name) for name in second)
    newcomer = f"plain_t{max(ids)}"
    assert newcomer in second
    relay.call(newcomer)
    assert html_app.invocations[-1].url == other.url
    page.close()
    wait_until(lambda: str(min(ids)) not in tabs_of(relay), "the first tab's source has ended")
    assert names_of_pages(relay) == second, "the newcomer keeps its names"
