"""A page with its own ``@mcp-b/global``: two servers on one channel, one execution a call."""

from __future__ import annotations

import pytest
from page_tools_port import PageToolsPort, Visit, text_of
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = pytest.mark.requirement("chain.main.coexist")

OWN_CLIENT = """
async ({method, params}) => {
  const id = Math.floor(Math.random() * 1e9);
  const post = (payload) => window.postMessage(
    {channel: "mcp-default", type: "mcp", direction: "client-to-server", payload}, window.origin);
  const answers = [];
  const first = new Promise((resolve) => addEventListener("message", ({data}) => {
    if (data?.direction !== "server-to-client" || data.payload?.id !== id) return;
    answers.push(data);
    resolve();
  }));
  post({jsonrpc: "2.0", id, method, params});
  await first;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return answers.map((data) => ({from: data.from ?? "the page", ...data.payload}));
}
"""
"""A request of the page's own client; every answer that it got."""

INITIALIZE = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "own", "version": "1"},
    },
}


def own_server_ready(page: Page) -> None:
    """The page's own server answers the page's own client."""
    page.locator("html[data-tools=ready]").wait_for(state="attached")
    page.evaluate(OWN_CLIENT, INITIALIZE)


def test_script_tools_run_once(visit: Visit, html_app: HtmlApp) -> None:
    port = visit("own-global.html")
    port.wait_tool("own_where")
    port.call("own_where")
    assert text_of(port.call("echo", {"text": "hi"})) == "hi"
    assert [one.tool for one in html_app.invocations] == ["own_where", "echo"]


def test_form_tools_run_once(visit: Visit, html_app: HtmlApp) -> None:
    """The page's own server cannot call these on current Chromium; ours can."""
    port = visit("own-global.html")
    port.wait_tool("own_form")
    result = port.call("own_form", {"text": "hi"})
    assert not result.get("isError")
    assert "hi" in text_of(result)
    assert [one.tool for one in html_app.invocations] == ["own_form"]


def test_the_page_s_own_client_still_talks_to_the_page_s_own_server(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    visit("own-global.html")
    own_server_ready(page)
    [answer] = page.evaluate(
        OWN_CLIENT, {"method": "tools/call", "params": {"name": "own_where", "arguments": {}}}
    )
    assert answer["from"] == "the page"
    assert "result" in answer
    assert [one.tool for one in html_app.invocations] == ["own_where"]


@pytest.mark.webmcp_runtime("native")
def test_both_clients_at_once_get_one_execution_each(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit("own-global.html")
    port.wait_tool("echo")
    own_server_ready(page)
    request = port.send("callTool", name="echo", args={"text": "ours"})
    [theirs] = page.evaluate(
        OWN_CLIENT, {"method": "tools/call", "params": {"name": "echo", "arguments": {"text": "theirs"}}}
    )
    assert text_of(theirs["result"]) == "theirs"
    assert text_of(port.answer(request)["result"]) == "ours"
    assert sorted(one.args["text"] for one in html_app.invocations) == ["ours", "theirs"]


@pytest.mark.webmcp_runtime("native")
def test_the_page_keeps_its_own_object(visit: Visit, page: Page) -> None:
    visit("own-global.html")
    assert page.evaluate("document.modelContext.__isBrowserMcpServer === true")


@pytest.fixture
def opened_before(
    request: pytest.FixtureRequest, extension_browser: ExtensionBrowser, html_app: HtmlApp
) -> tuple[Page, PageToolsPort]:
    """A page with its own server that was open before the extension came, and a ready port to it."""
    page = extension_browser.context.new_page()
    page.goto(html_app.page("own-global.html"))
    own_server_ready(page)
    host: Extension = request.getfixturevalue("host")
    port = PageToolsPort(host.side_panel(page), page.url)
    port.wait_state("ready")
    return page, port


def test_injected_late_ours_yields_and_script_tools_run_once(
    opened_before: tuple[Page, PageToolsPort], html_app: HtmlApp
) -> None:
    page, port = opened_before
    port.wait_tool("own_where")
    port.call("own_where")
    assert [one.tool for one in html_app.invocations] == ["own_where"]
    [answer] = page.evaluate(OWN_CLIENT, {"method": "ping", "params": {}})
    assert answer["from"] == "the page"


def test_injected_late_form_tools_run_once(
    opened_before: tuple[Page, PageToolsPort], html_app: HtmlApp, webmcp_runtime: str
) -> None:
    page, port = opened_before
    port.wait_tool("own_form")
    assert "late form" in text_of(port.call("own_form", {"text": "late form"}))
    assert [one.tool for one in html_app.invocations] == ["own_form"]
    if webmcp_runtime == "native":
        assert page.evaluate(
            "Reflect.get(Document.prototype, 'modelContext', document) instanceof ModelContext"
        )
