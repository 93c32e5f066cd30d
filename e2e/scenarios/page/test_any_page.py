"""What any page with tools must do, whoever wrote it and whatever WebMCP runtime it brings along.

``webmcp-e2e conformance page URL`` runs these against a page of yours; without one they run against the order
desk, so that they cannot rot.
"""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from any_page import AnyPage, Behaviour, text_of
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

    @pytest.mark.parametrize("name", ["", "with space", "x" * 129])
    def test_a_name_that_is_none_is_refused(self, subject: AnyPage, name: str) -> None:
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

    @pytest.mark.parametrize("how", ["throw", "reject"])
    def test_what_goes_wrong_is_an_error(self, subject: AnyPage, how: Behaviour) -> None:
        subject.register("probe_wrong", how)
        assert subject.call("probe_wrong").is_error

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
