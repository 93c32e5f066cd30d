"""The browser's own ``document.modelContext`` is used, and stays what it is."""

from __future__ import annotations

import pytest
from page_tools_port import Visit, text_of
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [
    pytest.mark.requirement("chain.main.native"),
    pytest.mark.webmcp_runtime("native"),
]

IDENTITY = """
() => {
  const context = document.modelContext;
  const accessor = Object.getOwnPropertyDescriptor(Document.prototype, "modelContext");
  const isNative = (f) => Function.prototype.toString.call(f).includes("[native code]");
  return {
    instance: context instanceof ModelContext,
    prototype: Object.getPrototypeOf(context) === ModelContext.prototype,
    ownOfDocument: Object.hasOwn(document, "modelContext"),
    ownOfContext: Reflect.ownKeys(context).map(String),
    accessor: isNative(accessor.get),
    methods: ["registerTool", "getTools", "executeTool"].every((name) => isNative(context[name])),
    same: document.modelContext === context,
    polyfill: Boolean(context.__isWebMCPPolyfill),
  };
}
"""


def test_the_native_object_is_untouched(visit: Visit, page: Page) -> None:
    port = visit(lab="")
    assert port.state["runtime"] == "native"
    assert port.call("echo", {"text": "hi"})["content"] == [{"type": "text", "text": "hi"}]
    assert page.evaluate(IDENTITY) == {
        "instance": True,
        "prototype": True,
        "ownOfDocument": False,
        "ownOfContext": [],
        "accessor": True,
        "methods": True,
        "same": True,
        "polyfill": False,
    }


def test_the_page_sees_the_same_api_with_and_without_the_extension(
    visit: Visit, page: Page, host: Extension, html_app: HtmlApp
) -> None:
    visit(lab="")
    describe = "() => Reflect.ownKeys(ModelContext.prototype).map(String).sort().join()"
    with_extension = page.evaluate(describe)
    host.disable()
    page.goto(html_app.page(lab=""))
    assert page.evaluate(describe) == with_extension


def test_a_tool_that_the_browser_itself_knows_is_listed_and_called_once(
    visit: Visit, html_app: HtmlApp
) -> None:
    port = visit(lab="")
    tools = port.tools()
    assert {"get_status", "query_table_data", "echo"} <= set(tools)
    assert tools["echo"]["inputSchema"]["required"] == ["text"]
    assert port.call("sum", {"a": 2, "b": 40})["structuredContent"] == {"sum": 42}
    assert [one.tool for one in html_app.invocations] == ["sum"]


def test_tools_that_come_and_go_are_followed(visit: Visit) -> None:
    port = visit(lab="")
    port.call("register_more", {"n": 3})
    port.wait_tool("more_3")
    assert any(
        message.get("type") == "toolsChanged" and any(tool["name"] == "more_3" for tool in message["tools"])
        for message in port.log
    )
    port.call("unregister_self")
    assert "unregister_self" not in port.tools()
    assert port.call("unregister_self")["code"] == "unknown_tool"


SHAPES: dict[str, dict[str, object]] = {
    "undefined": {"content": []},
    "null": {"content": [{"type": "text", "text": "null"}]},
    "text": {"content": [{"type": "text", "text": "plain text"}]},
    "object": {"content": [{"type": "text", "text": '{"answer":42}'}], "structuredContent": {"answer": 42}},
}


def test_results_become_tool_results(visit: Visit) -> None:
    port = visit(lab="")
    for kind, expected in SHAPES.items():
        assert port.call("shape", {"kind": kind}) == expected
    assert text_of(port.call("shape", {"kind": "content"})) == "as it is"


def test_a_thrown_error_is_a_page_error_that_has_run(visit: Visit, html_app: HtmlApp) -> None:
    error = visit(lab="").call("always_fail")
    assert (error["code"], error["executed"]) == ("page_error", "yes")
    assert [one.tool for one in html_app.invocations] == ["always_fail"]


def test_the_browser_runs_the_native_runtime(
    extension_browser: ExtensionBrowser, visit: Visit, page: Page
) -> None:
    """Guards the tests above: without the feature they would prove the polyfill."""
    visit()
    assert extension_browser.runtime == "native"
    assert page.evaluate(
        "() => typeof ModelContext === 'function' && !document.modelContext.__isWebMCPPolyfill"
    )
