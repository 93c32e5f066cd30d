"""What any page with tools must do, whoever wrote it and whatever WebMCP runtime it brings along.

``webmcp-e2e conformance page URL`` runs these against a page of yours, in both runtimes; without one they run
against the order desk in one, so that they cannot rot.
"""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from any_page import AnyPage, text_of
from playwright.sync_api import Error, Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.relay_process import Relay

pytestmark = [pytest.mark.requirement("harness.subjects"), pytest.mark.conformance("page")]
_should = pytest.mark.conformance("page", level="should")


@pytest.fixture
def subject(request: pytest.FixtureRequest, host: Extension, page: Page, relay: Relay) -> AnyPage:
    """The page under test: ``--webmcp-page URL``, or the order desk with its lab tools."""
    url = request.config.getoption("--webmcp-page")
    if url is None:
        url = request.getfixturevalue("html_app").page(lab="")
    page.goto(url)
    return AnyPage(page, host, relay, url)


class TestItsOwnTools:
    """What the page offers by itself."""

    def test_one_at_least_reaches_a_client(self, subject: AnyPage) -> None:
        assert subject.own_tools()

    def test_names_are_of_letters_digits_and_a_few_signs(self, subject: AnyPage) -> None:
        wrong = [name for name in subject.own_tools() if not re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", name)]
        assert not wrong, f"these names are none: {wrong}"

    def test_each_says_what_it_does(self, subject: AnyPage) -> None:
        # The relay puts the page's origin in brackets before it.
        mute = [
            name
            for name, tool in subject.own_tools().items()
            if not (tool.description or "").partition("] ")[2].strip()
        ]
        assert not mute, f"these have no description: {mute}"

    def test_schemas_are_schemas(self, subject: AnyPage) -> None:
        for name, tool in subject.own_tools().items():
            schema = dict(tool.input_schema)
            assert schema.get("type") == "object", f"the schema of {name} is of type {schema.get('type')!r}"
            jsonschema.validators.validator_for(schema).check_schema(schema)

    @_should
    def test_readers_that_need_nothing_answer(self, subject: AnyPage) -> None:
        for name, tool in subject.own_tools().items():
            reads = tool.annotations is not None and tool.annotations.read_only_hint is True
            if reads and not tool.input_schema.get("required"):
                result = subject.call(name)
                assert not result.is_error, f"{name} answers: {text_of(result)[:200]}"


class TestItsLife:
    """The tools of the page, whatever happens to page and extension."""

    def test_they_are_back_after_a_reload(self, subject: AnyPage) -> None:
        before = set(subject.own_tools())
        subject.page.reload()
        subject.wait_listed(*before)

    def test_they_go_when_the_page_is_left_and_return_with_back(self, subject: AnyPage) -> None:
        before = set(subject.own_tools())
        subject.page.goto("about:blank")
        subject.wait_gone(*before)
        subject.page.go_back(wait_until="commit")
        subject.wait_listed(*before)

    def test_they_outlive_the_extension_s_worker(self, subject: AnyPage) -> None:
        before = set(subject.own_tools())
        generation = subject.host.worker.generation
        subject.host.worker.stop()
        subject.register("probe_after", "echo")
        assert subject.host.worker.generation > generation
        subject.wait_listed(*before)

    def test_they_outlive_the_extension_s_reload(self, subject: AnyPage) -> None:
        before = set(subject.own_tools())
        subject.host.reload()
        subject.wait_listed(*before)


class TestRegistering:
    """``document.modelContext`` as this page has it: the browser's, the extension's, or one that it brings."""

    def test_a_later_tool_is_listed_and_goes_with_its_signal(self, subject: AnyPage) -> None:
        subject.register("probe_later")
        subject.unregister("probe_later")
        subject.wait_gone("probe_later")

    def test_a_name_that_is_taken_is_refused(self, subject: AnyPage) -> None:
        subject.register("probe_twice")
        with pytest.raises(Error, match=r"(?i)probe_twice|already|duplicate|exist|InvalidState"):
            subject.register_only("probe_twice")

    def test_a_name_that_is_none_is_refused(self, subject: AnyPage) -> None:
        for name in ("", "with space", "x" * 129):
            with pytest.raises(Error):
                subject.register_only(name)

    def test_a_tool_without_description_is_refused(self, subject: AnyPage) -> None:
        with pytest.raises(Error):
            subject.register_only("probe_mute", description="")

    def test_title_and_annotations_reach_the_client(self, subject: AnyPage) -> None:
        subject.register("probe_titled", title="A title", annotations={"readOnlyHint": True})
        tool = subject.tools()["probe_titled"]
        assert tool.title == "A title"
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True


class TestCalling:
    """One call, one run, its own answer."""

    def test_it_runs_once_with_what_was_sent(self, subject: AnyPage) -> None:
        properties = {"text": {"type": "string"}, "list": {"type": "array", "items": {"type": "number"}}}
        subject.register("probe_echo", inputSchema={"type": "object", "properties": properties})
        sent = {"text": "ä ☃ \u2028 \"'", "list": [1, 2.5, -3]}
        assert json.loads(text_of(subject.call("probe_echo", **sent))) == sent
        assert subject.received("probe_echo") == [sent]

    def test_structured_content_arrives(self, subject: AnyPage) -> None:
        subject.register("probe_data", "structured")
        assert subject.call("probe_data").structured_content == {"got": {}}

    def test_words_alone_and_nothing_are_answers(self, subject: AnyPage) -> None:
        subject.register("probe_plain", "plain")
        assert text_of(subject.call("probe_plain")) == "plain words"
        subject.register("probe_nothing", "nothing")
        nothing = subject.call("probe_nothing")
        assert not nothing.is_error, f"a tool that returns nothing answers: {text_of(nothing)[:200]}"

    def test_a_megabyte_arrives(self, subject: AnyPage) -> None:
        subject.register("probe_big", "big")
        assert len(text_of(subject.call("probe_big"))) == 1_000_000

    @_should
    def test_a_cancelled_call_reaches_the_tool(self, subject: AnyPage) -> None:
        subject.register("probe_stall", "stall")
        call = subject.relay.call_soon("probe_stall", {})
        subject.wait_for_run("probe_stall")
        call.cancel()
        subject.wait_aborted("probe_stall")

    def test_what_goes_wrong_is_an_error(self, subject: AnyPage) -> None:
        subject.register("probe_throws", "throw")
        assert subject.call("probe_throws").is_error
        subject.register("probe_rejects", "reject")
        assert subject.call("probe_rejects").is_error

    # Chromium's own runtime keeps the reason to itself.
    @pytest.mark.webmcp_runtime("polyfill")
    def test_an_error_says_its_reason(self, subject: AnyPage) -> None:
        subject.register("probe_reason", "throw")
        assert "the probe fails on purpose" in text_of(subject.call("probe_reason"))

    def test_a_tool_that_leaves_while_it_runs_still_answers(self, subject: AnyPage) -> None:
        subject.register("probe_leaving", "leave")
        assert text_of(subject.call("probe_leaving")) == "left"
        subject.wait_gone("probe_leaving")

    def test_many_at_once_get_each_their_own_answer(self, subject: AnyPage) -> None:
        properties = {"ms": {"type": "number"}, "n": {"type": "number"}}
        subject.register("probe_wait", "wait", inputSchema={"type": "object", "properties": properties})
        calls = [subject.relay.call_soon("probe_wait", {"ms": 40 - 2 * n, "n": n}) for n in range(20)]
        assert [text_of(call.result()) for call in calls] == [str(n) for n in range(20)]

    def test_arguments_against_the_schema_never_run_it(self, subject: AnyPage) -> None:
        schema = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
        subject.register("probe_strict", inputSchema=schema)
        assert subject.call("probe_strict", n="many").is_error
        assert subject.received("probe_strict") == []


class TestForms:
    """A form with ``toolname`` is a tool."""

    def test_a_client_submits_it_once(self, subject: AnyPage) -> None:
        subject.add_form("probe_form")
        subject.wait_listed("probe_form")
        result = subject.call("probe_form", word="once")
        assert not result.is_error, f"a form that submits by itself answers: {text_of(result)[:300]}"
        assert subject.submitted() == ["once"]


class TestThePagesOwnView:
    """``getTools``, ``executeTool`` and ``toolchange`` for the page's own scripts."""

    def test_it_finds_and_runs_a_tool(self, subject: AnyPage) -> None:
        subject.register("probe_own")
        assert "own words" in subject.execute("probe_own", text="own words")
        assert subject.received("probe_own") == [{"text": "own words"}]

    def test_it_is_told_of_tools_that_come_and_go(self, subject: AnyPage) -> None:
        subject.count_changes()
        subject.register_only("probe_told")
        subject.wait_for_changes(1)
        subject.unregister("probe_told")
        subject.wait_for_changes(2)

    def test_a_call_that_it_cancels_ends(self, subject: AnyPage) -> None:
        subject.register("probe_slow", "wait")
        with pytest.raises(Error, match=r"(?i)abort"):
            subject.execute("probe_slow", abort=True, ms=5_000, n=1)

    @pytest.mark.webmcp_runtime("native")
    def test_it_runs_a_form(self, subject: AnyPage) -> None:
        subject.add_form("probe_form")
        subject.wait_listed("probe_form")
        subject.execute("probe_form", word="own")
        assert subject.submitted() == ["own"]
