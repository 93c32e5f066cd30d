"""Tabs that were open before the extension get their tools, by one injection."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.requirement("chain.sw.inject-once")

RECYCLES = 3


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    """The relay soon forgets a source that does not come back."""
    return {"sourceGrace": 1_000}


@pytest.fixture
def open_before(extension_browser: ExtensionBrowser, html_app: HtmlApp) -> Page:
    """A page that is loaded while no extension is there."""
    page = extension_browser.context.new_page()
    page.goto(html_app.page(lab=""))
    return page


@pytest.fixture
def late_host(open_before: Page, relay: Relay, request: pytest.FixtureRequest) -> Extension:
    """The host, installed after the page was opened; the relay lists the page's tools."""
    host: Extension = request.getfixturevalue("host")
    wait_until(lambda: "echo" in relay.page_tools(), "the page's tools are listed")
    return host


COUNT_ARRIVALS = """
() => {
  globalThis.arrivals = 0;
  addEventListener("message", ({data}) => {
    if (data?.channel === "mcp-default" && data.payload === "mcp-server-ready") globalThis.arrivals += 1;
  });
}
"""


def test_a_tab_open_before_the_install_is_injected_once_and_recycled_workers_inject_nothing_more(
    late_host: Extension, relay: Relay, html_app: HtmlApp, open_before: Page
) -> None:
    assert relay.call("echo", {"text": "open before"}).content[0].text == "open before"
    assert [one.tool for one in html_app.invocations] == ["echo"]

    open_before.evaluate(COUNT_ARRIVALS)
    for index in range(RECYCLES):
        late_host.worker.stop()
        late_host.worker.wait_running()
        wait_until(lambda: not relay.call("echo", {"text": "again"}).is_error, "the page's tools are back")
        assert len(html_app.invocations) == index + 2, "each call runs once"
    assert open_before.evaluate("arrivals") == 0, "no script was injected again"


def test_an_update_injects_into_the_orphaned_page_once(
    late_host: Extension, relay: Relay, html_app: HtmlApp, open_before: Page
) -> None:
    open_before.evaluate(COUNT_ARRIVALS)
    late_host.reload()
    wait_until(lambda: not relay.call("echo", {"text": "new version"}).is_error, "the page's tools are back")
    assert len(html_app.invocations) == 1
    assert open_before.evaluate("arrivals") > 0, "the injection was seen"


def test_switching_off_and_on_injects_again(late_host, relay: Relay, html_app: HtmlApp) -> None:
    late_host.disable()
    wait_until(lambda: "echo" not in relay.page_tools(), "the tools are gone", timeout=20)
    late_host.enable()
    wait_until(lambda: "echo" in relay.page_tools(), "the tools are back")
    assert not relay.call("echo", {"text": "on again"}).is_error
    assert len(html_app.invocations) == 1
