"""The port ``webmcp-page-tools``: requests, notifications, every error code that can arise on it."""

from __future__ import annotations

from typing import Any

import pytest
from page_tools_port import OpenPort, PageToolsPort, Serve, Visit, expect_aborted, text_of
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.contract import ERROR_CODES
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until

protocol = pytest.mark.requirement("chain.port.protocol")
heal = pytest.mark.requirement("chain.port.heal")
pytestmark = pytest.mark.webmcp_runtime("native")


def is_port_error(error: dict[str, Any]) -> bool:
    """Whether an error has the one shape: a known code, what happened and what to do, whether it ran."""
    sentences = [part for part in error["message"].split(". ") if part]
    return (
        set(error) == {"code", "message", "executed"}
        and error["code"] in ERROR_CODES
        and error["executed"] in ("no", "yes", "unknown")
        and len(sentences) >= 2
        and error["message"].endswith(".")
    )


@protocol
def test_a_new_port_is_told_the_state_and_the_tools_unasked(visit: Visit, open_port: OpenPort) -> None:
    visit(lab="")
    port = open_port()
    port.wait_tool("echo")
    first, second = port.log[:2]
    assert first["type"] == "state"
    assert first["state"] == "ready"
    assert second["type"] == "toolsChanged"
    assert "echo" in [tool["name"] for tool in second["tools"]]


@protocol
def test_ids_belong_to_their_port_and_each_request_has_one_answer(visit: Visit, open_port: OpenPort) -> None:
    ports = [visit(lab=""), open_port(), open_port()]
    requests = [
        (port, port.send("callTool", name="echo", args={"text": f"{number} {turn}"}), f"{number} {turn}")
        for turn in range(3)
        for number, port in enumerate(ports)
    ]
    for port, request, expected in requests:
        assert text_of(port.answer(request)["result"]) == expected
        assert len(port.answers(request)) == 1


@protocol
def test_calls_run_side_by_side(visit: Visit, html_app: HtmlApp) -> None:
    port = visit(lab="")
    slow = port.send("callTool", name="slow", args={"ms": 60_000})
    html_app.wait_for_invocations(1)
    assert text_of(port.call("echo", {"text": "meanwhile"})) == "meanwhile"
    assert port.answers(slow) == []
    port.ask("cancel", target=slow)
    assert port.answer(slow)["error"]["code"] == "cancelled"


@protocol
def test_a_cancellation_frees_the_caller_and_reaches_the_tool(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    port = visit(lab="")
    request = port.send("callTool", name="slow", args={"ms": 60_000})
    html_app.wait_for_invocations(1)
    assert port.ask("cancel", target=request)["result"] == {}
    error = port.answer(request)["error"]
    assert (error["code"], error["executed"]) == ("cancelled", "unknown")
    assert is_port_error(error)
    expect_aborted(page, html_app)
    assert port.ask("cancel", target=request)["result"] == {}
    assert port.ask("cancel", target=4711)["result"] == {}
    assert len(port.answers(request)) == 1


@protocol
def test_a_caller_that_goes_takes_its_calls_along(
    visit: Visit, open_port: OpenPort, page: Page, html_app: HtmlApp
) -> None:
    staying = visit(lab="")
    leaving = open_port()
    leaving.send("callTool", name="slow", args={"ms": 60_000})
    html_app.wait_for_invocations(1)
    leaving.close()
    expect_aborted(page, html_app)
    assert text_of(staying.call("echo", {"text": "unharmed"})) == "unharmed"


@protocol
def test_a_call_without_result_ends_at_the_deadline(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit(lab="")
    port.post({"type": "timings", "overrides": {"browserDeadline": 600}})
    error = port.call("slow", {"ms": 60_000})
    assert (error["code"], error["executed"]) == ("timeout", "unknown")
    assert is_port_error(error)
    expect_aborted(page, html_app)


REFUSALS = [
    ("unknown_tool", "no", "nobody", {}),
    ("invalid_args", "no", "sum", {"a": "x", "b": 1}),
    ("invalid_args", "no", "echo", []),
    ("too_large", "no", "echo", {"text": "x" * 1_000_001}),
    ("too_large", "yes", "big", {"bytes": 8_000_001}),
    ("page_error", "yes", "always_fail", {}),
]


@protocol
def test_error_codes_and_their_one_shape(visit: Visit) -> None:
    port = visit(lab="")
    for code, executed, name, args in REFUSALS:
        answer = port.ask("callTool", name=name, args=args)
        assert answer["ok"] is False
        assert (answer["error"]["code"], answer["error"]["executed"]) == (code, executed)
        assert is_port_error(answer["error"])


@protocol
def test_what_is_no_request_is_refused_or_ignored_and_harms_nothing(visit: Visit) -> None:
    port = visit(lab="")
    for odd in [None, 7, "listTools", [], {}, {"type": "listTools"}, {"id": "x", "type": "listTools"}]:
        port.post(odd)  # type: ignore[arg-type]
    assert port.ask("dance")["error"]["code"] == "invalid_args"
    assert port.ask("callTool")["error"]["code"] == "invalid_args"
    assert text_of(port.call("echo", {"text": "fine"})) == "fine"


@protocol
def test_an_insecure_page_says_why_it_has_no_tools(
    page: Page, open_port: OpenPort, html_app: HtmlApp
) -> None:
    page.route(
        "http://insecure.test/",
        lambda route: route.fulfill(body="<title>x</title>", content_type="text/html"),
    )
    page.goto("http://insecure.test/")
    port = open_port()
    assert port.state["state"] == "none"
    assert "secure context" in port.state["reason"]
    assert port.call("anything")["code"] == "not_ready"


@protocol
def test_the_list_keeps_title_annotations_and_schema(serve: Serve, page: Page, open_port: OpenPort) -> None:
    page.goto(
        serve(
            """<script>document.modelContext.registerTool({
              name: "titled", title: "A title", description: "d", annotations: {readOnlyHint: true},
              inputSchema: {type: "object", properties: {a: {type: "string", description: "an a"}}},
              execute: () => 1,
            })</script>"""
        )
    )
    port = open_port()
    port.wait_tool("titled")
    tool = port.tools()["titled"]
    assert (tool["title"], tool["description"]) == ("A title", "d")
    assert tool["annotations"]["readOnlyHint"] is True
    assert tool["inputSchema"]["properties"] == {"a": {"type": "string", "description": "an a"}}


@heal
def test_after_twenty_recycles_there_is_one_listener_and_one_execution(
    visit: Visit, host: Extension, html_app: HtmlApp, page: Page
) -> None:
    port = visit(lab="")
    panel = host.side_panel(page)
    for _ in range(20):
        host.worker.recycle("stop")
        panel.evaluate("chrome.runtime.sendMessage({type: 'anything'}).catch(() => {})")
        host.worker.wait_running()
    before = len([message for message in port.log if message.get("type") == "toolsChanged"])
    port.call("register_more", {"n": 1})
    port.wait_tool("more_1")
    changes = [message for message in port.log if message.get("type") == "toolsChanged"][before:]
    assert len(changes) == 1
    assert text_of(port.call("echo", {"text": "once"})) == "once"
    assert [one.tool for one in html_app.invocations] == ["register_more", "echo"]


@pytest.mark.bug("B06")
@heal
def test_a_port_that_fell_is_replaced_by_a_new_one(visit: Visit, open_port: OpenPort) -> None:
    first = visit(lab="")
    for turn in range(20):
        first.close()
        first = open_port()
        first.wait_state("ready")
        assert text_of(first.call("echo", {"text": str(turn)})) == str(turn)


@heal
def test_a_worker_that_held_a_relay_socket_is_woken_when_its_port_falls(
    visit: Visit, open_port: OpenPort, host: Extension
) -> None:
    visit()
    holder = open_port()
    holder.post({"type": "relayHeld", "held": True})
    holder.ask("listTools")
    host.worker.stop()
    generation = host.worker.generation
    holder.close()
    wait_until(lambda: host.worker.generation > generation, "the worker is woken")


@heal
def test_without_a_relay_socket_nothing_wakes_the_worker(
    visit: Visit, open_port: OpenPort, host: Extension
) -> None:
    visit()
    holder, other = open_port(), open_port()
    holder.post({"type": "relayHeld", "held": True})
    holder.post({"type": "relayHeld", "held": False})
    holder.ask("listTools")
    host.worker.stop()
    generation = host.worker.generation
    holder.close()
    other.ask("listTools")
    assert host.worker.generation == generation
    assert host.worker.status == "stopped"


@heal
def test_a_second_injection_hands_over(visit: Visit, page: Page, host: Extension, html_app: HtmlApp) -> None:
    """The first script lets go of its ports; one client, one execution remain."""
    old = visit(lab="")
    host.worker.evaluate(
        """async () => {
          const [tab] = await chrome.tabs.query({url: "http://127.0.0.1/*"});
          const target = {tabId: tab.id};
          await chrome.scripting.executeScript({target, files: ["main-world.js"], world: "MAIN"});
          await chrome.scripting.executeScript({target, files: ["content-script.js"]});
        }"""
    )
    old.wait_closed()
    new = PageToolsPort(host.side_panel(page), page.url)
    new.wait_state("ready")
    assert text_of(new.call("echo", {"text": "new"})) == "new"
    assert [one.tool for one in html_app.invocations] == ["echo"]
    answers = page.evaluate(
        """async () => {
          let ready = 0;
          addEventListener("message", ({data}) => { if (data?.payload === "mcp-server-ready") ready += 1; });
          const post = (payload) => window.postMessage(
            {channel: "mcp-default", type: "mcp", direction: "client-to-server", payload}, window.origin);
          post("mcp-check-ready");
          // Answers come in the order of the questions: after this one's, every ready has come.
          await new Promise((resolve) => {
            addEventListener("message", ({data}) => {
              if (data?.payload?.result && data.payload.id === "last") resolve();
            });
            post({jsonrpc: "2.0", id: "last", method: "ping"});
          });
          return ready;
        }"""
    )
    assert answers == 1
