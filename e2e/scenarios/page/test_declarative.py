"""Forms as tools: submitting themselves, waiting for a person, leaving the page."""

from __future__ import annotations

import pytest
from page_tools_port import OpenPort, Serve, Visit, text_of
from playwright.sync_api import Page, expect

from webmcp_e2e.browser import ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = pytest.mark.requirement("chain.main.declarative")


def test_forms_are_listed_with_their_fields(visit: Visit) -> None:
    tools = visit("declarative.html").tools()
    assert {"find_order", "note_order", "open_order"} <= set(tools)
    assert set(tools["note_order"]["inputSchema"]["properties"]) == {"order", "note"}
    assert set(tools["note_order"]["inputSchema"]["required"]) == {"order", "note"}


def test_an_autosubmit_form_answers_and_runs_once(visit: Visit, html_app: HtmlApp) -> None:
    result = visit("declarative.html").call("find_order", {"order": "SO-1001"})
    assert "SO-1001" in text_of(result)
    assert not result.get("isError")
    assert [one.tool for one in html_app.invocations] == ["find_order"]


def test_an_autosubmit_form_that_leaves_the_page_is_a_success(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    port = visit("declarative.html")
    result = port.call("open_order", {"order": "SO-1001"})
    assert not result.get("isError")
    assert "submitted" in text_of(result)
    assert "navigates" in text_of(result)
    page.wait_for_url("**/submitted/open_order**")
    assert [one.tool for one in html_app.invocations] == ["open_order"]


LEAVES_BY_SCRIPT = """
<form toolname="leave" tooldescription="d" toolautosubmit><input name="v"><button>Go</button></form>
<script>
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  event.respondWith(new Promise(() => {}));
  location.href = "/plain.html";
});
</script>
"""


def test_an_autosubmit_form_whose_script_leaves_the_page_is_a_success_too(
    serve: Serve, page: Page, open_port: OpenPort
) -> None:
    """The page never answers; the document goes away under the call."""
    page.goto(serve(LEAVES_BY_SCRIPT))
    port = open_port()
    port.wait_tool("leave")
    result = port.call("leave", {"v": "x"})
    assert "submitted" in text_of(result)
    page.wait_for_url("**/plain.html")


def test_a_form_without_autosubmit_is_answered_when_the_person_submits(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    port = visit("declarative.html")
    request = port.send("callTool", name="note_order", args={"order": "SO-1002", "note": "by hand"})
    expect(page.get_by_label("Note", exact=True)).to_have_value("by hand")
    assert port.answers(request) == []
    assert html_app.invocations == []
    page.get_by_role("button", name="Send the note").click()
    assert "SO-1002" in text_of(port.answer(request)["result"])
    assert [one.tool for one in html_app.invocations] == ["note_order"]


def test_a_form_that_nobody_submits_says_so_and_a_later_submit_reaches_nobody(
    visit: Visit, page: Page, html_app: HtmlApp
) -> None:
    port = visit("declarative.html")
    port.post({"type": "timings", "overrides": {"formWait": 1_000}})
    request = port.send("callTool", name="note_order", args={"order": "SO-1003", "note": "too late"})
    error = port.answer(request)["error"]
    assert (error["code"], error["executed"]) == ("waiting_for_user", "no")
    expect(page.get_by_label("Note", exact=True)).to_have_value("too late")
    page.get_by_role("button", name="Send the note").click()
    html_app.wait_for_invocations(1)
    assert len(port.answers(request)) == 1
    assert "SO-1001" in text_of(port.call("find_order", {"order": "SO-1001"}))


def test_a_cancelled_form_call_can_be_made_again(
    visit: Visit, page: Page, extension_browser: ExtensionBrowser
) -> None:
    if extension_browser.binary.major < 155 and extension_browser.runtime == "native":
        pytest.skip("Chromium 150 itself gives no answer to a form that was called again after an abort")
    port = visit("declarative.html")
    first = port.send("callTool", name="note_order", args={"order": "SO-1004", "note": "first"})
    expect(page.get_by_label("Note", exact=True)).to_have_value("first")
    port.ask("cancel", target=first)
    assert port.answer(first)["error"]["code"] == "cancelled"
    second = port.send("callTool", name="note_order", args={"order": "SO-1004", "note": "second"})
    expect(page.get_by_label("Note", exact=True)).to_have_value("second")
    page.get_by_role("button", name="Send the note").click()
    assert "second" in text_of(port.answer(second)["result"])
