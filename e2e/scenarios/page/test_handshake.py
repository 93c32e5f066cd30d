"""Client and server find each other whoever is first, and a lost attempt is made up for."""

from __future__ import annotations

import time

import pytest
from fake_page_server import SHORT_HANDSHAKE, fake_server
from page_tools_port import OpenPort, PageToolsPort, Serve, Visit, text_of
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.webmcp_runtime("native")


def to_page(half_host: Extension, page: Page) -> PageToolsPort:
    """A port to the page, with the short timings told."""
    port = PageToolsPort(half_host.side_panel(page), page.url)
    port.post({"type": "timings", "overrides": SHORT_HANDSHAKE})
    return port


def wait_page(page: Page, condition: str, timeout: float = 15.0) -> None:
    """Wait until a JavaScript expression of the page is true."""
    page.wait_for_function(condition, timeout=timeout * 1000)


@pytest.mark.requirement("chain.iso.handshake-order")
def test_server_first(visit: Visit) -> None:
    assert text_of(visit(lab="").call("echo", {"text": "hi"})) == "hi"


@pytest.mark.requirement("chain.iso.handshake-order")
def test_tools_that_come_late(page: Page, html_app: HtmlApp, open_port: OpenPort) -> None:
    page.goto(html_app.page("late.html"))
    port = open_port()
    port.wait_state("ready")
    assert port.tools() == {}
    page.get_by_role("button", name="Register the tools").click()
    port.wait_tool("late_where")
    assert text_of(port.call("echo", {"text": "late"})) == "late"
    assert [one.tool for one in html_app.invocations] == ["echo"]


@pytest.mark.requirement("chain.iso.handshake-order")
def test_client_first(half_host: Extension, own_page: Page, serve: Serve) -> None:
    """The client asks into the void; the server's announcement, later, is enough."""
    own_page.goto(serve(fake_server("fake.silent.add('check')")))
    port = to_page(half_host, own_page)
    for when in ("fake.checks() >= 1", "fake.checks() >= 5"):
        wait_page(own_page, when)
    own_page.evaluate("fake.post('mcp-server-ready')")
    port.wait_state("ready")
    assert text_of(port.call("echo", {"n": 1})) == '{"n":1}'


@pytest.mark.requirement("chain.iso.handshake-order")
def test_a_lost_check_is_asked_again_by_a_fresh_client(
    half_host: Extension, own_page: Page, serve: Serve
) -> None:
    own_page.goto(serve(fake_server("fake.silent.add('check')")))
    port = to_page(half_host, own_page)
    wait_page(own_page, "fake.checks() >= 2")
    own_page.evaluate("fake.silent.clear()")
    port.wait_state("ready")
    assert "echo" in port.tools()


@pytest.mark.requirement("chain.iso.handshake-order")
def test_a_server_that_announces_itself_between_two_attempts_is_heard(
    half_host: Extension, own_page: Page, serve: Serve
) -> None:
    """The pause is made long: only the announcement can end it in time."""
    own_page.goto(serve(fake_server("fake.list = () => 7")))
    port = PageToolsPort(half_host.side_panel(own_page), own_page.url)
    port.post({"type": "timings", "overrides": {"handshakeAttempt": 300, "handshakePause": 600_000}})
    wait_page(own_page, "fake.methods('tools/list').length >= 1")
    own_page.evaluate("fake.list = () => ({tools: fake.tools})")

    def announced() -> bool:
        own_page.evaluate("fake.post('mcp-server-ready')")
        return bool(port.state["state"] == "ready")

    wait_until(announced, "ready", pump=lambda s: own_page.wait_for_timeout(s * 1000))
    assert "echo" in port.tools()


@pytest.mark.requirement("chain.iso.handshake-order")
def test_a_second_client_on_the_channel_gets_its_own_answers(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    """A client of the page uses our server too; equal numbers as ids do not mix."""
    port = visit(lab="")
    request = port.send("callTool", name="echo", args={"text": "ours"})
    theirs = page.evaluate(
        """async () => {
          const post = (payload) => window.postMessage(
            {channel: "mcp-default", type: "mcp", direction: "client-to-server", payload}, window.origin);
          const ask = (id, method, params) => new Promise((resolve) => {
            addEventListener("message", ({data}) => {
              if (data?.direction === "server-to-client" && data.payload?.id === id) resolve(data.payload.result);
            });
            post({jsonrpc: "2.0", id, method, params});
          });
          const clientInfo = {name: "own", version: "1"};
          await ask(0, "initialize", {protocolVersion: "2025-06-18", capabilities: {}, clientInfo});
          return [await ask(1, "ping", {}), await ask(2, "tools/call", {name: "echo", arguments: {text: "theirs"}})];
        }"""
    )
    assert theirs[0] == {}
    assert text_of(theirs[1]) == "theirs"
    assert text_of(port.answer(request)["result"]) == "ours"
    assert sorted(one.args["text"] for one in html_app.invocations) == ["ours", "theirs"]


@pytest.mark.requirement("chain.iso.retry")
def test_five_attempts_with_a_fresh_client_each_then_a_cause_is_awaited(
    half_host: Extension, own_page: Page, serve: Serve
) -> None:
    """At three hundredths of the lengths: five attempts and four pauses take at least so long."""
    own_page.goto(serve(fake_server("fake.silent.add('initialize')")))
    port = to_page(half_host, own_page)
    began = time.monotonic()
    state = port.wait_state("none")
    assert time.monotonic() - began >= (4 * 300 + 4 * 100) / 1000 - 0.3
    assert "5 times" in state["reason"]
    ids = own_page.evaluate("fake.methods('initialize').map((payload) => payload.id.split(':')[1])")
    assert len(ids) == 5
    assert len(set(ids)) == 5
    assert port.ask("callTool", name="echo", args={})["error"]["code"] == "not_ready"

    own_page.evaluate("fake.silent.clear(); fake.post('mcp-server-ready')")
    port.wait_state("ready")
    assert own_page.evaluate("fake.methods('initialize').length") == 6
    assert text_of(port.call("echo", {"n": 2})) == '{"n":2}'


@pytest.mark.requirement("chain.iso.retry")
def test_a_move_within_the_document_is_a_cause(half_host: Extension, own_page: Page, serve: Serve) -> None:
    own_page.goto(serve(fake_server("fake.silent.add('check')")))
    port = to_page(half_host, own_page)
    port.wait_state("none")
    checks = own_page.evaluate("fake.checks()")
    assert checks == 5
    own_page.evaluate("fake.silent.clear(); history.pushState(null, '', '?moved')")
    port.wait_state("ready")
    assert own_page.evaluate("fake.checks()") == checks + 1


@pytest.mark.requirement("chain.iso.retry")
def test_a_server_that_stops_is_found_again(half_host: Extension, own_page: Page, serve: Serve) -> None:
    """What was running then cannot be known; a new client starts from the beginning."""
    own_page.goto(serve(fake_server("fake.silent.add('tools/call')")))
    port = to_page(half_host, own_page)
    port.wait_state("ready")
    request = port.send("callTool", name="echo", args={})
    wait_page(own_page, "fake.methods('tools/call').length === 1")
    own_page.evaluate("fake.silent.clear(); fake.post('mcp-server-stopped')")
    error = port.answer(request)["error"]
    assert (error["code"], error["executed"]) == ("outcome_unknown", "unknown")
    wait_until(
        lambda: own_page.evaluate("fake.methods('initialize').length") == 2,
        "a second client",
        pump=lambda s: own_page.wait_for_timeout(s * 1000),
    )
    port.wait_state("ready")
    assert own_page.evaluate("fake.executions.length") == 0
    assert text_of(port.call("echo", {"n": 3})) == '{"n":3}'


@pytest.mark.bug("B06")
@pytest.mark.requirement("chain.port.early")
def test_the_port_answers_while_the_handshake_is_still_running(
    half_host: Extension, own_page: Page, serve: Serve
) -> None:
    own_page.goto(serve(fake_server("fake.silent.add('check')")))
    port = PageToolsPort(half_host.side_panel(own_page), own_page.url)
    port.post({"type": "timings", "overrides": {"handshakeAttempt": 60_000}})
    listed = port.ask("listTools")["result"]
    assert (listed["state"], listed["tools"]) == ("connecting", [])
    waiting = port.send("callTool", name="echo", args={"n": 1})
    port.ask("listTools")
    assert port.answers(waiting) == []
    own_page.evaluate("fake.silent.clear(); fake.post('mcp-server-ready')")
    assert text_of(port.answer(waiting)["result"]) == '{"n":1}'


@pytest.mark.requirement("chain.port.early")
def test_a_call_waits_for_the_handshake_up_to_its_deadline(
    half_host: Extension, own_page: Page, serve: Serve
) -> None:
    own_page.goto(serve(fake_server("fake.silent.add('check')")))
    port = PageToolsPort(half_host.side_panel(own_page), own_page.url)
    port.post({"type": "timings", "overrides": {"handshakeAttempt": 60_000, "browserDeadline": 700}})
    error = port.ask("callTool", name="echo", args={})["error"]
    assert (error["code"], error["executed"]) == ("not_ready", "no")
    assert own_page.evaluate("fake.methods('tools/call').length") == 0


@pytest.mark.requirement("chain.port.early")
def test_a_port_opened_while_the_document_loads_gets_its_tools(
    page: Page, html_app: HtmlApp, open_port: OpenPort
) -> None:
    """The content script is there from the document's start, long before the page has registered anything."""
    page.goto(html_app.page("late.html"), wait_until="commit")
    port = open_port()
    assert port.state["state"] in ("connecting", "ready")
    assert port.ask("listTools")["ok"]
    port.wait_state("ready")
