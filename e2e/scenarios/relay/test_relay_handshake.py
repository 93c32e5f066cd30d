"""Browser and relay introduce themselves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.services.scripted_relay import ScriptedRelay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.handshake"),
    pytest.mark.webmcp_runtime("native"),
]


def test_a_selected_tab_is_a_source_with_the_browsers_own_words(chain: Chain) -> None:
    source = next(one for one in chain.relay.sources() if one["tabId"] != "extension")

    assert source["origin"] == chain.html_app.origin
    assert source["url"] == chain.page.url
    assert source["title"] == chain.page.title()
    assert source["toolCount"] == len([name for name in chain.relay.page_tools() if "chrome_" not in name])
    assert source["state"] == "connected"


def test_a_refresh_by_the_mcp_client_reloads_the_sources_tab(chain: Chain) -> None:
    with chain.page.expect_navigation():
        result = chain.relay.call("webmcp_open_page", {"url": chain.page.url, "refresh": True})
    assert not result.is_error
    chain.wait_ready("echo")


class TestAccepted:
    def test_the_panel_says_connected(self, chain: Chain, side_panel: Page) -> None:
        """Our relay's ``hello/accepted`` and an old one's silence come to the same: the source is up."""
        wait_until(
            lambda: side_panel.evaluate("lumoPanel.relay()?.phase") == "connected", "the panel says connected"
        )


def test_an_old_relay_that_never_says_accepted_is_served(
    scripted_relay: ScriptedRelay, host: Extension, page: Page, html_app: HtmlApp
) -> None:
    scripted_relay.accepts = False
    page.goto(html_app.page(lab=""))
    tab = wait_until(lambda: lab_tab(scripted_relay), "the tab lists its tools")

    assert tab.call("echo", {"text": "hi"})["content"] == [{"type": "text", "text": "hi"}]
    assert [frame["type"] for frame in tab.frames[:2]] == ["hello", "tools/list"]


def lab_tab(relay: ScriptedRelay) -> Any:
    return next((one for one in relay.connections if one.is_open and "echo" in (one.tools or ())), None)


def test_a_rejected_source_says_why_in_the_panel(
    relay_ports: range, host: Extension, page: Page, html_app: HtmlApp, side_panel: Page
) -> None:
    with ScriptedRelay(relay_ports[0], rejection="this workspace is closed") as relay:
        settings = {"enabled": True, "host": "127.0.0.1", "ports": [relay.port, relay.port]}
        host.storage.set({"relaySettings": settings})
        page.goto(html_app.page(lab=""))

        # The panel's opening may change the selection meanwhile: then the browser ends a first socket by itself.
        wait_until(
            lambda: any(one.close_code == 1008 for one in relay.connections), "the relay has rejected one"
        )
        side_panel.get_by_test_id("view-relay").click()
        panel_says = side_panel.get_by_text("this workspace is closed").first
        panel_says.wait_for()


def test_an_origin_that_is_not_allowed_is_rejected_with_a_sentence(
    relay: Relay, html_app: HtmlApp, page: Page
) -> None:
    """The page's own embed, whose real Origin our relay was not told to allow."""
    page.goto(html_app.url)
    outcome = page.evaluate(
        """(port) => new Promise((done) => {
             const socket = new WebSocket(`ws://127.0.0.1:${port}/`, ["webmcp.v1"]);
             socket.onmessage = (event) => done("got " + event.data);
             socket.onclose = (event) => done("closed " + event.code);
           })""",
        relay.port,
    )
    assert outcome == "closed 1006", "refused at the handshake, before any data"
    wait_until(lambda: "--allow-origin" in relay.log_tail(), "the relay's log says what to do")
