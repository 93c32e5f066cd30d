"""What a page says is bounded and checked, and lies hurt only the page that tells them."""

from __future__ import annotations

from typing import Any

import pytest
from fake_page_server import fake_server
from page_tools_port import OpenPort, PageToolsPort, Serve, Visit, text_of
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.contract import LIMITS
from webmcp_e2e.services.html_app import HtmlApp

forged = pytest.mark.requirement("chain.iso.forged")
bounds = pytest.mark.requirement("chain.iso.bounds")
validate = pytest.mark.requirement("chain.iso.validate")
pytestmark = pytest.mark.webmcp_runtime("native")

REGISTER = """
(tools) => Promise.all(
  tools.map((tool) => document.modelContext.registerTool({...tool, execute: (args) => args})))
"""


def register(page: Page, *tools: dict[str, Any]) -> None:
    """Register tools that give their arguments back."""
    page.evaluate(REGISTER, [{"description": "d", **tool} for tool in tools])


def rejected(port: PageToolsPort) -> dict[str, str]:
    """Rule by name of the tools that were not taken over."""
    return {tool["name"]: tool["rule"] for tool in port.ask("listTools")["result"]["rejected"]}


LIES = """
() => {
  const post = (payload, direction = "server-to-client") =>
    window.postMessage({channel: "mcp-default", type: "mcp", direction, payload}, window.origin);
  for (let n = 0; n < 50; n++) {
    post("mcp-server-ready");
    post({jsonrpc: "2.0", id: n, result: {tools: [{name: "forged", inputSchema: {type: "object"}}]}});
    post({jsonrpc: "2.0", id: `webmcp-e2e:${n}`, result: {content: []}});
    post({jsonrpc: "2.0", method: "notifications/tools/list_changed", params: 7});
  }
  for (const odd of [null, 7, "mcp-", [], {}, {jsonrpc: "2.0"}, {jsonrpc: "1.0", id: 1}, {__proto__: null}]) post(odd);
  window.postMessage({channel: "mcp-default"}, window.origin);
  window.postMessage(null, window.origin);
}
"""


@forged
def test_lies_do_not_confuse_a_working_page(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit(lab="")
    page.evaluate(LIES)
    assert "forged" not in port.tools()
    assert text_of(port.call("echo", {"text": "true"})) == "true"
    page.evaluate(LIES)
    assert text_of(port.call("echo", {"text": "still"})) == "still"
    assert [one.args["text"] for one in html_app.invocations] == ["true", "still"]


@forged
def test_a_forged_stop_costs_the_page_its_own_connection_only(
    visit: Visit, page: Page, html_app: HtmlApp, host: Extension
) -> None:
    port = visit(lab="")
    other_page = page.context.new_page()
    other_page.goto(html_app.page("plain.html"))
    register(other_page, {"name": "innocent"})
    other = PageToolsPort(host.side_panel(page), other_page.url)
    other.wait_tool("innocent")
    stop = {
        "channel": "mcp-default",
        "type": "mcp",
        "direction": "server-to-client",
        "payload": "mcp-server-stopped",
    }
    page.evaluate("(stop) => window.postMessage({...stop, from: 'webmcp-e2e-page'}, window.origin)", stop)
    port.wait_state("connecting")
    assert not other.call("innocent").get("code")
    assert other.state["state"] == "ready"
    port.wait_state("ready")
    assert text_of(port.call("echo", {"text": "back"})) == "back"
    states = port.states
    page.evaluate("(stop) => window.postMessage(stop, window.origin)", stop)
    assert text_of(port.call("echo", {"text": "not ours"})) == "not ours"
    assert port.states == states


@forged
def test_another_frame_cannot_speak_for_the_page(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    """Requests of a frame are not executed, answers of a frame are not believed."""
    port = visit("frames.html")
    request = {
        "jsonrpc": "2.0",
        "id": "webmcp-e2e:x:1",
        "method": "tools/call",
        "params": {"name": "top_where"},
    }
    for name in ("same", "cross"):
        frame = page.frame_locator(f"#{name}").locator("html")
        frame.evaluate(
            """(_, request) => {
              const post = (direction, payload) =>
                parent.postMessage({channel: "mcp-default", type: "mcp", direction, payload}, "*");
              post("client-to-server", request);
              post("server-to-client", "mcp-server-stopped");
            }""",
            request,
        )
    port.call("echo", {"text": "after"})
    assert [one.tool for one in html_app.invocations] == ["echo"]
    assert [message["state"] for message in port.log if message.get("type") == "state"][-1] == "ready"


@bounds
def test_a_tool_over_a_bound_is_rejected_by_name_and_the_others_stay(visit: Visit, page: Page) -> None:
    port = visit(lab="")
    big_schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "description": "x" * LIMITS["schema"]}},
    }
    register(
        page,
        {"name": "wordy", "description": "x" * (LIMITS["description"] + 1)},
        {"name": "heavy", "inputSchema": big_schema},
        {"name": "chrome_extension_mine"},
        {"name": "webmcp_mine"},
        {"name": "ext__mine"},
        {"name": "a2a__mine"},
        {"name": "just_right", "description": "x" * (LIMITS["description"] - 2)},
    )
    port.wait_tool("just_right")
    rules = rejected(port)
    assert rules["wordy"].startswith("too_large")
    assert rules["heavy"].startswith("too_large")
    assert {name for name, rule in rules.items() if "reserved" in rule} == {
        "chrome_extension_mine",
        "webmcp_mine",
        "ext__mine",
        "a2a__mine",
    }
    assert {"echo", "just_right"} <= set(port.tools())
    assert port.call("webmcp_mine")["code"] == "denied"
    assert any(message.get("rejected") for message in port.log if message.get("type") == "toolsChanged")


@bounds
def test_more_tools_than_allowed_are_cut_visibly(visit: Visit) -> None:
    port = visit(more=LIMITS["tools"] + 10)
    tools = port.tools()
    assert len(tools) == LIMITS["tools"]
    assert len([rule for rule in rejected(port).values() if str(LIMITS["tools"]) in rule]) > 10


@bounds
def test_a_result_over_the_bound_is_too_large_and_has_run(visit: Visit, html_app: HtmlApp) -> None:
    port = visit(lab="")
    error = port.call("big", {"bytes": LIMITS["result"]})
    assert (error["code"], error["executed"]) == ("too_large", "yes")
    assert len(text_of(port.call("big", {"bytes": LIMITS["result"] - 10_000}))) >= LIMITS["result"] - 10_000
    assert [one.tool for one in html_app.invocations] == ["big", "big"]


@bounds
def test_arguments_over_the_bound_never_reach_the_page(visit: Visit, html_app: HtmlApp) -> None:
    """In bytes of UTF-8, so that letters of other scripts count for what they take."""
    port = visit(lab="")
    error = port.call("echo", {"text": "ü" * (LIMITS["args"] // 2)})
    assert (error["code"], error["executed"]) == ("too_large", "no")
    assert html_app.invocations == []
    assert len(text_of(port.call("echo", {"text": "u" * (LIMITS["args"] // 2)}))) == LIMITS["args"] // 2


ODD_TOOLS = """
fake.list = () => ({tools: [
  null, 7, {name: 4}, {name: "no_schema"}, {name: "odd", inputSchema: {type: "string"}},
  ...fake.tools, ...fake.tools,
]})
"""

ENDLESS_LIST = """
fake.list = ({cursor = "0"}) => ({
  tools: [{name: `t${cursor}`, inputSchema: {type: "object"}}],
  nextCursor: String(Number(cursor) + 1),
})
"""


def port_to(half_host: Extension, page: Page, url: str) -> PageToolsPort:
    """Goes there and opens a port with a short handshake schedule."""
    page.goto(url)
    port = PageToolsPort(half_host.side_panel(page), url)
    port.post({"type": "timings", "overrides": {"handshakeAttempt": 2_000, "handshakePause": 50}})
    return port


@bounds
def test_a_misshapen_listing_is_refused_with_the_reason(
    half_host: Extension, own_page: Page, serve: Serve
) -> None:
    for odd in ("({tools: 'many'})", "7", "({})"):
        port = port_to(half_host, own_page, serve(fake_server(f"fake.list = () => {odd}")))
        reason = port.wait_state("none")["reason"]
        assert "tools/list has no tools" in reason or "neither a result nor an error" in reason
        assert port.ask("listTools")["result"]["tools"] == []


@bounds
def test_odd_tools_are_rejected_one_by_one(half_host: Extension, own_page: Page, serve: Serve) -> None:
    port = port_to(half_host, own_page, serve(fake_server(ODD_TOOLS)))
    port.wait_state("ready")
    assert list(port.tools()) == ["echo"]
    assert len(port.ask("listTools")["result"]["rejected"]) == 6


@bounds
def test_a_list_without_end_is_followed_to_the_limit_and_one_more(
    half_host: Extension, own_page: Page, serve: Serve
) -> None:
    port = port_to(half_host, own_page, serve(fake_server(ENDLESS_LIST)))
    port.wait_state("ready")
    cursors = own_page.evaluate("fake.methods('tools/list').map(({params}) => Number(params.cursor ?? 0))")
    assert max(cursors) == LIMITS["tools"]
    listed = port.ask("listTools")["result"]
    assert len(listed["tools"]) == LIMITS["tools"]
    assert len(listed["rejected"]) == 1


@bounds
def test_a_misshapen_result_is_a_page_error(half_host: Extension, own_page: Page, serve: Serve) -> None:
    port = port_to(half_host, own_page, serve(fake_server()))
    port.wait_state("ready")
    cycle = "(() => { const a = {content: []}; a.self = a; return a })()"
    for odd in ("7", "({content: 'text'})", "({structuredContent: {a: 1}})", cycle):
        own_page.evaluate(f"fake.call = () => {odd}")
        assert port.call("echo")["code"] == "page_error"
    own_page.evaluate("fake.call = () => ({content: []})")
    assert port.call("echo") == {"content": []}


@validate
def test_arguments_that_do_not_fit_never_reach_the_page(visit: Visit, html_app: HtmlApp) -> None:
    port = visit(lab="")
    misfits: list[dict[str, Any]] = [{"a": 1}, {"a": "1", "b": 2}, {"a": 1, "b": None}, {}]
    for args in misfits:
        error = port.call("sum", args)
        assert (error["code"], error["executed"]) == ("invalid_args", "no")
        assert "sum" in error["message"]
    assert html_app.invocations == []
    assert port.call("sum", {"a": 1, "b": 2})["structuredContent"] == {"sum": 3}


RULES: list[tuple[dict[str, Any], Any, Any]] = [
    ({"enum": ["a", "b"]}, "a", "c"),
    ({"type": "string", "pattern": "^SO-\\d{4}$"}, "SO-1001", "so-1"),
    ({"type": "integer", "minimum": 1, "maximum": 9}, 9, 10),
    ({"type": "array", "items": {"type": "number"}, "uniqueItems": True}, [1, 2], [1, 1]),
    ({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/day"}]}, "2026-02-28", "2026-02-30"),
    ({"type": "object", "additionalProperties": False, "properties": {"x": {}}}, {"x": 1}, {"y": 1}),
]


@validate
def test_the_usual_keywords_are_checked(visit: Visit, page: Page) -> None:
    port = visit()
    days = {"$defs": {"day": {"type": "string", "format": "date"}}}
    schema = [{"type": "object", "properties": {"v": rule}, **days} for rule, _, _ in RULES]
    register(page, *({"name": f"rule_{n}", "inputSchema": one} for n, one in enumerate(schema)))
    port.wait_tool(f"rule_{len(RULES) - 1}")
    for n, (_, good, bad) in enumerate(RULES):
        assert port.call(f"rule_{n}", {"v": good})["structuredContent"] == {"v": good}
        assert port.call(f"rule_{n}", {"v": bad})["code"] == "invalid_args"


def doubling_refs(levels: int) -> dict[str, Any]:
    """A small schema whose check visits two to the `levels` nodes."""
    defs: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"type": "object", "$ref": "#/$defs/d0", "$defs": {**defs, f"d{levels}": {"type": "object"}}}


BOMBS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "backtracking": (
        {"type": "object", "properties": {"v": {"type": "string", "pattern": "^(a+)+$"}}},
        {"v": "a" * 60 + "!"},
    ),
    "branching": (doubling_refs(40), {}),
    "endless": ({"type": "object", "$ref": "#"}, {}),
    "pairs": (
        {"type": "object", "properties": {"v": {"type": "array", "uniqueItems": True}}},
        {"v": [{"n": n} for n in range(20_000)]},
    ),
}


@validate
def test_a_schema_cannot_keep_the_check_busy_for_long(page: Page, serve: Serve, open_port: OpenPort) -> None:
    """Unbounded, each of these takes from minutes to longer than the universe has."""
    page.goto(serve("plain"))
    register(page, *({"name": name, "inputSchema": schema} for name, (schema, _) in BOMBS.items()))
    port = open_port()
    port.wait_tool("pairs")
    for name, (_, args) in BOMBS.items():
        assert port.call(name, args).get("code") in (None, "too_large", "invalid_args")
