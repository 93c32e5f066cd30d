"""Which frames have a say: same-origin ones on native, none of another origin, the top frame alone in the polyfill."""

from __future__ import annotations

import re

import pytest
from page_tools_port import PageToolsPort, Visit
from playwright.sync_api import Page

from webmcp_e2e.services.html_app import HtmlApp

pytestmark = pytest.mark.requirement("chain.main.frames")


EXPOSE = """
(_, origin) => document.modelContext.registerTool(
  {name: "cross_exposed", description: "d", execute: () => "ran"}, {exposedTo: [origin]})
"""


def frames_ready(page: Page) -> None:
    """Both frames have registered their tools."""
    for frame in ("#same", "#cross"):
        page.frame_locator(frame).locator("html[data-tools=ready]").wait_for(state="attached")


def suffixed(port: PageToolsPort) -> str:
    """The one name that the frame's `echo` got, since the top frame has it already."""
    [name] = [name for name in port.tools() if re.fullmatch(r"echo_[0-9a-f]{6}", name)]
    return name


@pytest.mark.webmcp_runtime("native")
def test_a_same_origin_frame_is_listed_and_called_there_only(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    port = visit("frames.html")
    frames_ready(page)
    port.wait_tool("same_where")
    port.call("same_where")
    port.call("top_where")
    assert [(one.tool, one.frame == "top") for one in html_app.invocations] == [
        ("same_where", False),
        ("top_where", True),
    ]


@pytest.mark.webmcp_runtime("native")
def test_a_taken_name_gets_a_suffix_and_each_call_reaches_one_frame(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    port = visit("frames.html")
    frames_ready(page)
    port.wait_tool("same_where")
    name = suffixed(port)
    port.call("echo", {"text": "above"})
    port.call(name, {"text": "below"})
    executions = [(one.frame == "top", one.args["text"]) for one in html_app.invocations]
    assert executions == [(True, "above"), (False, "below")]
    page.reload()
    frames_ready(page)
    again = visit("frames.html")
    frames_ready(page)
    again.wait_tool("same_where")
    assert suffixed(again) == name


@pytest.mark.webmcp_runtime("native")
def test_a_form_in_a_same_origin_frame_works(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit("frames.html")
    frames_ready(page)
    port.wait_tool("same_form")
    [field] = port.tools()["same_form"]["inputSchema"]["properties"]
    assert not port.call("same_form", {field: "x"}).get("isError")
    assert [one.tool for one in html_app.invocations] == ["same_form"]


@pytest.mark.webmcp_runtime("native")
def test_a_frame_of_another_origin_is_never_listed(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    """Not even a tool that the frame exposes to the page around it, and that the page could ask for."""
    port = visit("frames.html")
    frames_ready(page)
    page.frame_locator("#cross").locator("html").evaluate(EXPOSE, html_app.origin)
    exposed = page.evaluate(
        "async (origin) => (await document.modelContext.getTools({fromOrigins: [origin]})).map((tool) => tool.name)",
        html_app.cross_origin,
    )
    assert "cross_exposed" in exposed
    port.wait_tool("same_where")
    assert not [name for name in port.tools() if name.startswith("cross_")]
    for name in ("cross_where", "cross_exposed"):
        assert port.call(name)["code"] == "unknown_tool"
    assert html_app.invocations == []


@pytest.mark.webmcp_runtime("polyfill")
def test_the_polyfill_has_the_top_frame_only(visit: Visit, page: Page, html_app: HtmlApp) -> None:
    port = visit("frames.html")
    page.frame_locator("#same").locator("html").wait_for(state="attached")
    assert {"top_where", "echo"} <= set(port.tools())
    assert not [name for name in port.tools() if name.startswith(("same_", "cross_", "echo_"))]
    assert port.state["runtime"] == "polyfill"
    port.call("echo", {"text": "once"})
    assert [one.frame for one in html_app.invocations] == ["top"]
