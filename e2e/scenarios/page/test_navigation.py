"""Leaving a page, coming back to it, and losing the extension under it."""

from __future__ import annotations

import pytest
from page_tools_port import OpenPort, PageToolsPort, Visit, text_of
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until

pending = pytest.mark.requirement("chain.nav.pending")
bfcache = pytest.mark.requirement("chain.nav.bfcache")
reloading = pytest.mark.requirement("chain.nav.reload-extension")


def start_slow(port: PageToolsPort, html_app: HtmlApp, count: int = 1) -> list[int]:
    """Calls that are running in the page; they would take a minute."""
    requests = [port.send("callTool", name="slow", args={"ms": 60_000}) for _ in range(count)]
    html_app.wait_for_invocations(count)
    return requests


@pytest.mark.webmcp_runtime("native")
@pending
def test_a_navigation_fails_the_pending_calls_at_once(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit(lab="")
    requests = start_slow(port, html_app, 2)
    page.goto(html_app.page("plain.html"))
    for request in requests:
        error = port.answer(request)["error"]
        assert (error["code"], error["executed"]) == ("navigated", "unknown")
    port.wait_closed()


@pytest.mark.webmcp_runtime("native")
@pending
def test_a_tool_that_navigates_says_where_to(visit: Visit, html_app: HtmlApp) -> None:
    """The page itself left: the tool was running, so nobody can say what it did."""
    port = visit(lab="")
    error = port.call("navigate", {"to": "/plain.html"})
    assert (error.get("code"), error.get("executed")) == ("navigated", "unknown")
    assert html_app.page("plain.html") in error["message"]
    assert [one.tool for one in html_app.invocations] == ["navigate"]


@pending
def test_a_reload_fails_them_too_and_the_new_document_works(
    visit: Visit, page: Page, html_app: HtmlApp, open_port: OpenPort
) -> None:
    port = visit(lab="")
    [request] = start_slow(port, html_app)
    page.reload()
    assert port.answer(request)["error"]["code"] == "navigated"
    again = open_port()
    again.wait_tool("echo")
    assert text_of(again.call("echo", {"text": "again"})) == "again"
    assert [one.tool for one in html_app.invocations] == ["slow", "echo"]


@pytest.mark.webmcp_runtime("native")
@pending
def test_a_move_within_the_document_fails_nothing(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit(lab="")
    request = port.send("callTool", name="slow", args={"ms": 800})
    html_app.wait_for_invocations(1)
    page.evaluate("history.pushState(null, '', '?moved')")
    assert port.answer(request)["ok"]


@bfcache
def test_back_and_forward_restore_working_tools(
    visit: Visit, page: Page, html_app: HtmlApp, open_port: OpenPort
) -> None:
    page.add_init_script("addEventListener('pageshow', (event) => { window.restored = event.persisted; })")
    old = visit(lab="")
    [request] = start_slow(old, html_app)
    page.goto(html_app.page("plain.html"))
    assert old.answer(request)["error"]["code"] == "navigated"
    for _ in range(2):
        page.go_back(wait_until="commit")
        assert page.evaluate("window.restored"), (
            "the document came out of the bfcache, else this proves nothing"
        )
        port = open_port()
        port.wait_state("ready")
        assert text_of(port.call("echo", {"text": "restored"})) == "restored"
        page.go_forward(wait_until="commit")
    assert [one.tool for one in html_app.invocations] == ["slow", "echo", "echo"]


@pytest.mark.webmcp_runtime("native")
@bfcache
def test_a_tool_registered_after_the_return_is_seen(
    visit: Visit, page: Page, html_app: HtmlApp, open_port: OpenPort
) -> None:
    visit(lab="")
    page.goto(html_app.page("plain.html"))
    page.go_back(wait_until="commit")
    port = open_port()
    port.wait_tool("register_more")
    port.call("register_more", {"n": 1})
    port.wait_tool("more_1")


@pytest.mark.webmcp_runtime("native")
@bfcache
def test_a_worker_that_held_a_relay_socket_is_woken_by_the_return(
    visit: Visit, page: Page, html_app: HtmlApp, host: Extension
) -> None:
    """The worker was told of the entry; of the return it hears only from the page."""
    port = visit(lab="")
    port.post({"type": "relayHeld", "held": True})
    port.ask("listTools")
    page.goto(html_app.page("plain.html"))
    port.wait_closed()
    host.worker.stop()
    generation = host.worker.generation
    page.go_back(wait_until="commit")
    wait_until(lambda: host.worker.generation > generation, "the worker is woken")


RECORD_CLIENTS = """
window.clients = [];
addEventListener("message", ({data}) => {
  if (data?.channel !== "mcp-default") return;
  const id = data.direction === "server-to-client" ? data.payload?.id : undefined;
  if (typeof id === "string") window.clients.push(id.split(":")[1]);
  if (data.payload === "mcp-check-ready") window.clients.push("check");
});
"""


@reloading
def test_after_a_reload_the_new_script_works_and_the_orphan_is_silent(
    visit: Visit, page: Page, html_app: HtmlApp, host: Extension
) -> None:
    page.add_init_script(RECORD_CLIENTS)
    old = visit(lab="")
    old.call("echo", {"text": "before"})
    [before] = set(page.evaluate("clients")) - {"check"}
    host.reload()
    page.evaluate("clients.length = 0")
    port = PageToolsPort(host.side_panel(page), page.url)
    port.wait_state("ready")
    port.call("register_more", {"n": 1})
    port.wait_tool("more_1")
    assert text_of(port.call("echo", {"text": "after"})) == "after"
    assert before not in page.evaluate("clients")
    assert [one.args.get("text") for one in html_app.invocations if one.tool == "echo"] == ["before", "after"]


@pytest.mark.webmcp_runtime("native")
@reloading
def test_a_call_that_was_running_runs_once_and_nobody_repeats_it(
    visit: Visit, page: Page, html_app: HtmlApp, host: Extension
) -> None:
    port = visit(lab="")
    start_slow(port, html_app)
    host.reload()
    again = PageToolsPort(host.side_panel(page), page.url)
    again.wait_state("ready")
    assert text_of(again.call("echo", {"text": "after"})) == "after"
    assert [one.tool for one in html_app.invocations] == ["slow", "echo"]


@pytest.mark.webmcp_runtime("native")
@reloading
def test_twice_reloaded_there_is_still_one_execution(
    visit: Visit, page: Page, html_app: HtmlApp, host: Extension
) -> None:
    visit(lab="")
    for turn in range(2):
        host.reload()
        port = PageToolsPort(host.side_panel(page), page.url)
        port.wait_state("ready")
        assert text_of(port.call("echo", {"text": str(turn)})) == str(turn)
    assert [one.args["text"] for one in html_app.invocations] == ["0", "1"]
