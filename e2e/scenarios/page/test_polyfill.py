"""Where the browser has no WebMCP, the polyfill brings it, and nothing else differs."""

from __future__ import annotations

import pytest
from page_tools_port import Serve, Visit, text_of
from playwright.sync_api import Page

from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [
    pytest.mark.requirement("chain.main.polyfill"),
    pytest.mark.webmcp_runtime("polyfill"),
]

ADD_TOOL = """
async () => document.modelContext.registerTool({
  name: "told",
  title: "Told",
  description: "Tells what it was told.",
  inputSchema: {type: "object", properties: {}},
  outputSchema: {type: "object", properties: {n: {type: "number"}}},
  annotations: {readOnlyHint: true, idempotentHint: true},
  execute: () => ({n: 1}),
})
"""


def test_the_page_s_first_script_finds_it(serve: Serve, page: Page) -> None:
    page.goto(serve("<script>window.atStart = typeof document.modelContext?.registerTool</script>"))
    assert page.evaluate("atStart") == "function"


def test_it_says_that_it_is_one_and_works(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit(lab="")
    assert page.evaluate("document.modelContext.__isWebMCPPolyfill")
    assert port.state["runtime"] == "polyfill"
    assert port.call("sum", {"a": 1, "b": 2})["structuredContent"] == {"sum": 3}
    assert [one.tool for one in html_app.invocations] == ["sum"]


def test_title_annotations_and_output_schema_survive(visit: Visit, page: Page) -> None:
    port = visit()
    page.evaluate(ADD_TOOL)
    port.wait_tool("told")
    tool = port.tools()["told"]
    assert tool["title"] == "Told"
    assert tool["annotations"] == {"readOnlyHint": True, "idempotentHint": True}
    assert tool["outputSchema"] == {"type": "object", "properties": {"n": {"type": "number"}}}


def test_a_thrown_error_keeps_its_message(visit: Visit) -> None:
    error = visit(lab="").call("always_fail")
    assert (error["code"], error["executed"]) == ("page_error", "yes")
    assert "This tool always fails" in error["message"]


def test_a_cancellation_reaches_the_running_tool(visit: Visit, html_app: HtmlApp) -> None:
    """The polyfill itself gives tools no signal; ours does."""
    port = visit(lab="")
    request = port.send("callTool", name="slow", args={"ms": 60_000})
    html_app.wait_for_invocations(1)
    port.ask("cancel", target=request)
    assert port.answer(request)["error"]["code"] == "cancelled"
    assert html_app.wait_for_outcome(1, "aborted").tool == "slow"


def test_tools_come_and_go(visit: Visit) -> None:
    port = visit(lab="")
    port.call("register_more", {"n": 2})
    port.wait_tool("more_2")
    assert text_of(port.call("echo", {"text": "still here"})) == "still here"
