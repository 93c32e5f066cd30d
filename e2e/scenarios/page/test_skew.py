"""Both generations of the native API in the field: JSON text (Chromium 150) and objects (156) as arguments."""

from __future__ import annotations

import pytest
from page_tools_port import Visit, text_of
from playwright.sync_api import Page

from webmcp_e2e.browser import ChromiumBinary
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [
    pytest.mark.requirement("chain.main.skew"),
    pytest.mark.webmcp_runtime("native"),
]

SHAPE = """
async (name) => {
  const tool = (await document.modelContext.getTools()).find((one) => one.name === name);
  const attempt = async (input) => {
    try { await document.modelContext.executeTool(tool, input); return "taken"; } catch (error) { return error.name; }
  };
  return {text: await attempt('{"kind":"text"}'), object: await attempt({kind: "text"})};
}
"""


@pytest.fixture(params=["text", "object"])
def generation(request: pytest.FixtureRequest) -> str:
    """Which shape the browser's ``executeTool`` wants."""
    return str(request.param)


@pytest.fixture
def chromium_binary(
    request: pytest.FixtureRequest, generation: str, chromium_binary: ChromiumBinary
) -> ChromiumBinary:
    """Chromium 150 for the text generation, else the one under test."""
    if generation == "text":
        return request.getfixturevalue("chromium_150")  # type: ignore[no-any-return]
    if chromium_binary.major < 155:
        pytest.skip(f"Chromium {chromium_binary.version} is of the text generation too")
    return chromium_binary


def test_the_two_browsers_differ_as_said(visit: Visit, page: Page, generation: str) -> None:
    """Guards the tests below: were both browsers alike, they would prove nothing."""
    visit(lab="")
    shape = page.evaluate(SHAPE, "shape")
    assert shape[generation] == "taken"
    assert shape["object" if generation == "text" else "text"] != "taken"


def test_the_probe_runs_nothing_and_a_call_runs_once(visit: Visit, html_app: HtmlApp) -> None:
    port = visit(lab="")
    assert port.state["runtime"] == "native"
    assert html_app.invocations == []
    assert text_of(port.call("echo", {"text": "once"})) == "once"
    assert port.call("sum", {"a": 20, "b": 22})["structuredContent"] == {"sum": 42}
    assert [one.tool for one in html_app.invocations] == ["echo", "sum"]


def test_schemas_arrive_as_objects(visit: Visit) -> None:
    port = visit(lab="")
    assert port.tools()["sum"]["inputSchema"]["properties"] == {
        "a": {"type": "number"},
        "b": {"type": "number"},
    }
    assert port.call("sum", {"a": "no number"})["code"] == "invalid_args"


def test_a_throwing_tool_runs_once(visit: Visit, html_app: HtmlApp) -> None:
    """The shape is not found by trying calls: a failure is never repeated in another shape."""
    assert visit(lab="").call("always_fail")["code"] == "page_error"
    assert [one.tool for one in html_app.invocations] == ["always_fail"]


def test_form_and_frame_tools_run_once(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit("frames.html")
    page.frame_locator("#same").locator("html[data-tools=ready]").wait_for(state="attached")
    port.wait_tool("same_form")
    port.call("same_where")
    port.call("same_form", {"text": "x"})
    assert [one.tool for one in html_app.invocations] == ["same_where", "same_form"]


def test_a_cancelled_call_ends_at_once_and_its_late_result_is_dropped(
    visit: Visit, html_app: HtmlApp, generation: str
) -> None:
    """Chromium 150 gives a tool no signal, so there only the caller is freed; 156 tells the tool too."""
    port = visit(lab="")
    request = port.send("callTool", name="slow", args={"ms": 60_000 if generation == "object" else 1_500})
    html_app.wait_for_invocations(1)
    port.ask("cancel", target=request)
    assert port.answer(request)["error"]["code"] == "cancelled"
    html_app.wait_for_outcome(1, "aborted" if generation == "object" else "finished")
    assert text_of(port.call("echo", {"text": "after"})) == "after"
    assert len(port.answers(request)) == 1
