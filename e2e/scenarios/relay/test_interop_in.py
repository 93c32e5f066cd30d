"""The published relay's embed in a page, on our relay. It connects by itself, with the page's Origin.

No extension is loaded. ``embed-classic.html`` has the runtime that the embed was made for; ``embed.html`` has the
present ``@mcp-b/global`` in the polyfill runtime, where the embed hears of no changed list and reads results as
JSON text (``navigator.modelContextTesting`` of 5.1.0 has no such callback).
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.requirement("chain.relay.interop-in")


@pytest.fixture
def relay_flags(html_app: HtmlApp) -> list[str]:
    return ["--allow-origin", html_app.origin]


@pytest.fixture
def tab(extension_browser: ExtensionBrowser) -> Page:
    """A tab of a browser without extensions."""
    return extension_browser.context.new_page()


@pytest.fixture
def embed(relay: Relay, tab: Page, html_app: HtmlApp) -> Page:
    """The page with the classic runtime, connected."""
    tab.goto(html_app.page("embed-classic.html", relay_port=relay.port))
    wait_until(lambda: "echo" in relay.page_tools(), "the embed's tools are listed", timeout=30)
    return tab


@pytest.mark.webmcp_runtime("native")
class TestClassic:
    @pytest.mark.conformance("relay")
    def test_tools_are_listed_and_called(self, embed: Page, relay: Relay, html_app: HtmlApp) -> None:
        (source,) = relay.sources()
        assert source["origin"] == html_app.origin
        assert source["toolCount"] == 3
        assert relay.call("echo", {"text": "grüße"}).content[0].text == "grüße"
        failed = relay.call("fail")
        assert failed.is_error
        assert failed.content[0].text == "no such order"

    @pytest.mark.conformance("relay")
    def test_a_changed_list_arrives(self, embed: Page, relay: Relay) -> None:
        assert relay.call("learn").content[0].text == "learned"
        wait_until(lambda: "learned" in relay.page_tools(), "the new tool")
        assert relay.call("learned").content[0].text == "new"

    def test_a_refresh_reloads_the_page(self, embed: Page, relay: Relay) -> None:
        with embed.expect_navigation():
            relay.call("webmcp_open_page", {"url": embed.url, "refresh": True})
        wait_until(lambda: relay.sources()[0]["state"] == "connected", "the page is back", timeout=30)
        assert relay.call("echo", {"text": "again"}).content[0].text == "again"

    @pytest.mark.conformance("relay")
    def test_it_finds_our_relay_again_after_a_restart(self, embed: Page, relay: Relay) -> None:
        relay.restart()
        wait_until(lambda: "echo" in relay.page_tools(), "the embed came back", timeout=40)
        assert relay.call("echo", {"text": "again"}).content[0].text == "again"


@pytest.mark.webmcp_runtime("polyfill")
def test_the_present_polyfill_is_served_too(relay: Relay, tab: Page, html_app: HtmlApp) -> None:
    tab.goto(html_app.page("embed.html", relay_port=relay.port))
    wait_until(lambda: "own_where" in relay.page_tools(), "the embed's tools are listed", timeout=30)

    result = relay.call("shape", {"kind": "content"})

    assert result.content[0].text == "as it is"
    assert result.meta is not None
    assert result.meta["example/kept"] is True


@pytest.mark.webmcp_runtime("native")
class TestNotAllowed:
    @pytest.fixture
    def relay_flags(self) -> list[str]:
        return []

    def test_a_page_that_was_not_allowed_gets_nothing(
        self, relay: Relay, tab: Page, html_app: HtmlApp
    ) -> None:
        tab.goto(html_app.page("embed-classic.html", relay_port=relay.port))
        wait_until(lambda: "--allow-origin" in relay.log_tail(), "the log says what to do", timeout=30)
        assert not relay.sources()
