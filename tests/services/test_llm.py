"""The model's server, asked by the vendors' own clients."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import anthropic
import openai
import pytest
from aiohttp.test_utils import unused_port

from webmcp_e2e.services.llm import Cut, Fail, Hold, Llm, LlmRequest, MalformedRequest, ToolCall
from webmcp_e2e.waiting import wait_until

SUM = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
}
OPENAI_TOOLS = [
    {"type": "function", "function": {"name": "tab1__sum", "description": "adds", "parameters": SUM}}
]
ANTHROPIC_TOOLS = [{"name": "tab1__sum", "description": "adds", "input_schema": SUM}]
ASK = [{"role": "user", "content": "What is 2 + 3?"}]


@pytest.fixture
def llm() -> Iterator[Llm]:
    with Llm() as server:
        yield server


@pytest.fixture
def openai_client(llm: Llm) -> openai.OpenAI:
    return openai.OpenAI(base_url=llm.openai_url, api_key=llm.api_key, max_retries=0, timeout=10)


@pytest.fixture
def anthropic_client(llm: Llm) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=llm.anthropic_url, api_key=llm.api_key, max_retries=0, timeout=10)


def openai_stream(client: openai.OpenAI, **more):
    return client.chat.completions.create(model="m", messages=ASK, stream=True, **more)


def openai_text(client: openai.OpenAI, **more) -> str:
    chunks = openai_stream(client, **more)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def anthropic_message(client: anthropic.Anthropic, messages=ASK, **more):
    with client.messages.stream(model="m", max_tokens=100, messages=messages, **more) as stream:
        return stream.get_final_message()


class TestOpenAi:
    def test_it_streams_text_word_by_word(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        llm.reply("Five, of  course.\n")
        chunks = list(openai_stream(openai_client, stream_options={"include_usage": True}))
        deltas = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
        assert deltas == ["", "Five,", " of", "  course.", "\n", None]
        assert chunks[-2].choices[0].finish_reason == "stop"
        assert chunks[-1].usage.completion_tokens == 4

    def test_tool_calls_are_gathered_by_the_clients_own_helper(
        self, llm: Llm, openai_client: openai.OpenAI
    ) -> None:
        llm.reply(
            "Let me see.", ToolCall("tab1__sum", {"a": 2, "b": 3}), ToolCall("tab1__sum", {"a": 4, "b": 5})
        )
        with openai_client.chat.completions.stream(model="m", messages=ASK, tools=OPENAI_TOOLS) as stream:
            message = stream.get_final_completion().choices[0]
        assert message.finish_reason == "tool_calls"
        assert message.message.content == "Let me see."
        calls = [(call.function.name, call.function.arguments) for call in message.message.tool_calls]
        assert calls == [("tab1__sum", '{"a": 2, "b": 3}'), ("tab1__sum", '{"a": 4, "b": 5}')]

    def test_not_streamed(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        llm.reply("Five.", ToolCall("tab1__sum", {}))
        answer = openai_client.chat.completions.create(model="m", messages=ASK, tools=OPENAI_TOOLS)
        assert answer.choices[0].message.content == "Five."
        assert answer.choices[0].message.tool_calls[0].function.name == "tab1__sum"

    def test_results_are_read_from_the_request(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        call = {"id": "c1", "type": "function", "function": {"name": "tab1__sum", "arguments": "{}"}}
        messages = [
            {"role": "system", "content": "Be brief."},
            *ASK,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "5"},
        ]
        llm.reply_by(lambda request: f"It is {request.tool_results[-1]}, said {request.tool('__sum')}.")
        answer = openai_client.chat.completions.create(model="m", messages=messages, tools=OPENAI_TOOLS)
        assert answer.choices[0].message.content == "It is 5, said tab1__sum."
        (request,) = llm.requests
        assert (request.system, request.user_texts) == ("Be brief.", ["What is 2 + 3?"])

    @pytest.mark.parametrize(
        ("status", "error"),
        [(401, openai.AuthenticationError), (429, openai.RateLimitError), (500, openai.InternalServerError)],
    )
    def test_errors(self, llm: Llm, openai_client: openai.OpenAI, status, error) -> None:
        llm.reply(Fail(status, retry_after=2))
        with pytest.raises(error) as caught:
            openai_text(openai_client)
        assert caught.value.response.headers["retry-after"] == "2"

    def test_a_wrong_key_is_refused_and_never_recorded(self, llm: Llm) -> None:
        wrong = openai.OpenAI(base_url=llm.openai_url, api_key="sk-other", max_retries=0)
        with pytest.raises(openai.AuthenticationError):
            openai_text(wrong)
        assert llm.requests == []

    def test_the_key_is_in_no_record(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        llm.reply("Hello.")
        openai_text(openai_client)
        assert llm.api_key not in repr(llm.requests)

    def test_an_error_within_the_stream(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        llm.reply("Half an ", Fail(500, "lost it"))
        with pytest.raises(openai.APIError, match="lost it"):
            openai_text(openai_client)

    def test_a_refused_schema_names_the_tool(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        llm.reply(Fail(400, "array schema missing items", tool="tab1__sum"))
        with pytest.raises(openai.BadRequestError, match="Invalid schema for function 'tab1__sum'"):
            openai_text(openai_client, tools=OPENAI_TOOLS)


class TestAnthropic:
    def test_text_and_parallel_calls(self, llm: Llm, anthropic_client: anthropic.Anthropic) -> None:
        llm.reply("Let me see.", ToolCall("tab1__sum", {"a": 2, "b": 3}), ToolCall("tab1__sum", {}))
        message = anthropic_message(anthropic_client, tools=ANTHROPIC_TOOLS)
        assert message.stop_reason == "tool_use"
        assert [block.type for block in message.content] == ["text", "tool_use", "tool_use"]
        assert [block.input for block in message.content[1:]] == [{"a": 2, "b": 3}, {}]

    def test_text_after_a_call_is_a_block_of_its_own(
        self, llm: Llm, anthropic_client: anthropic.Anthropic
    ) -> None:
        llm.reply("One.", ToolCall("tab1__sum", {}), "Two.")
        message = anthropic_message(anthropic_client, tools=ANTHROPIC_TOOLS)
        assert [block.type for block in message.content] == ["text", "tool_use", "text"]

    def test_not_streamed(self, llm: Llm, anthropic_client: anthropic.Anthropic) -> None:
        llm.reply("Five", finish="length")
        message = anthropic_client.messages.create(model="m", max_tokens=10, messages=ASK)
        assert (message.content[0].text, message.stop_reason) == ("Five", "max_tokens")

    def test_results_are_read_from_the_request(self, llm: Llm, anthropic_client: anthropic.Anthropic) -> None:
        use = {"type": "tool_use", "id": "t1", "name": "tab1__sum", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "5"}]}
        messages = [*ASK, {"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
        llm.reply_by(lambda request: f"It is {request.tool_results[-1]}.")
        answer = anthropic_message(anthropic_client, messages, system="Be brief.", tools=ANTHROPIC_TOOLS)
        assert answer.content[0].text == "It is 5."
        (request,) = llm.requests
        assert (request.system, request.user_texts) == ("Be brief.", ["What is 2 + 3?"])

    @pytest.mark.parametrize(
        ("status", "error"),
        [
            (401, anthropic.AuthenticationError),
            (429, anthropic.RateLimitError),
            (529, anthropic.InternalServerError),
        ],
    )
    def test_errors(self, llm: Llm, anthropic_client: anthropic.Anthropic, status, error) -> None:
        llm.reply(Fail(status, "sorry"))
        with pytest.raises(error, match="sorry"):
            anthropic_message(anthropic_client)

    def test_an_error_within_the_stream(self, llm: Llm, anthropic_client: anthropic.Anthropic) -> None:
        llm.reply("Half an ", Fail(529))
        with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
            anthropic_message(anthropic_client)

    def test_a_browser_has_to_say_that_it_knows_what_it_does(self, llm: Llm) -> None:
        client = anthropic.Anthropic(
            base_url=llm.anthropic_url,
            api_key=llm.api_key,
            max_retries=0,
            default_headers={"Origin": "chrome-extension://x"},
        )
        with pytest.raises(anthropic.AuthenticationError, match="dangerous-direct-browser-access"):
            anthropic_message(client)

    def test_a_refused_schema_is_named_by_its_place(
        self, llm: Llm, anthropic_client: anthropic.Anthropic
    ) -> None:
        llm.reply(Fail(400, "no", tool="tab1__sum"))
        with pytest.raises(anthropic.BadRequestError, match=r"tools\.0\.custom\.input_schema"):
            anthropic_message(anthropic_client, tools=ANTHROPIC_TOOLS)


class TestTime:
    def test_a_hold_keeps_the_stream_until_it_is_released(
        self, llm: Llm, openai_client: openai.OpenAI
    ) -> None:
        reply = llm.reply("One,", Hold(), " two.")
        stream = openai_stream(openai_client)
        assert [next(stream).choices[0].delta.content for _ in range(2)] == ["", "One,"]
        assert reply.wait_held().outcome == "answering"
        reply.release()
        assert next(stream).choices[0].delta.content == " two."
        stream.close()

    def test_who_leaves_is_noticed(self, llm: Llm, anthropic_client: anthropic.Anthropic) -> None:
        reply = llm.reply("One,", Hold())
        with anthropic_client.messages.stream(model="m", max_tokens=9, messages=ASK) as stream:
            next(iter(stream))
            reply.wait_held()
        reply.wait_outcome("abandoned")

    def test_a_cut_stream_is_an_error_of_the_connection(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        llm.reply("One, two", Cut())
        with pytest.raises(openai.APIConnectionError):
            openai_text(openai_client)

    def test_a_rate_is_kept(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        llm.reply("word " * 40, rate=200)
        begin = time.monotonic()
        openai_text(openai_client)
        assert time.monotonic() - begin >= 39 / 200

    def test_nothing_is_left_when_it_closes_in_the_middle(self) -> None:
        llm = Llm().start()
        reply = llm.reply(Hold())
        client = openai.OpenAI(base_url=llm.openai_url, api_key=llm.api_key, max_retries=0, timeout=10)
        failures: list[Exception] = []

        def ask() -> None:
            try:
                openai_text(client)
            except openai.APIConnectionError as error:
                failures.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        reply.wait_held()
        llm.close()
        asking.join(10)
        assert len(failures) == 1


def tool_use(name: str) -> dict:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": name, "input": {}}]}


def call(call_id: str) -> dict:
    function = {"name": "tab1__sum", "arguments": "{}"}
    return {"role": "assistant", "tool_calls": [{"id": call_id, "type": "function", "function": function}]}


def openai_tool(**function) -> list[dict]:
    return [{"type": "function", "function": {"name": "sum", **function}}]


OPENAI_FAULTS = {
    "unknown member": {"top_p2": 1},
    "unknown member of a message": {"messages": [{"role": "user", "content": "x", "id": "7"}]},
    "no messages": {"messages": []},
    "a result without a call": {"messages": [*ASK, {"role": "tool", "tool_call_id": "c1", "content": "x"}]},
    "a call without a result": {"messages": [*ASK, call("c1"), *ASK]},
    "a call without a result at the end": {"messages": [*ASK, call("c1")]},
    "number as text": {"max_tokens": "12"},
    "no tools": {"tools": []},
    "129 tools": {"tools": [openai_tool(name=f"t{n}")[0] for n in range(129)]},
    "tool name with a dot": {"tools": openai_tool(name="a.b")},
    "tool name of 65": {"tools": openai_tool(name="a" * 65)},
    "schema that is no object": {"tools": openai_tool(parameters={"type": "string"})},
    "choice at the top": {"tools": openai_tool(parameters={"type": "object", "oneOf": []})},
    "schema of another draft": {
        "tools": openai_tool(
            parameters={"type": "object", "properties": {"a": {"type": "number", "exclusiveMinimum": True}}}
        )
    },
}
USED = {"tools": ANTHROPIC_TOOLS}
ANTHROPIC_FAULTS = {
    "unknown member": {"frequency": 1},
    "unknown member of a block": {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "x", "index": 0}]}]
    },
    "blank text": {"messages": [{"role": "user", "content": " "}]},
    "the assistant begins": {"messages": [{"role": "assistant", "content": "x"}]},
    "a use without a result": {**USED, "messages": [*ASK, tool_use("tab1__sum"), *ASK]},
    "a result without a use": {
        **USED,
        "messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1"}]}],
    },
    "the same name twice": {"tools": ANTHROPIC_TOOLS * 2},
    "uses without tools": {
        "messages": [
            *ASK,
            tool_use("x"),
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "5"}]},
        ]
    },
    "a property key with blanks": {
        "tools": [{"name": "x", "input_schema": {"type": "object", "properties": {"a b": {}}}}]
    },
    "a schema without type": {"tools": [{"name": "x", "input_schema": {"properties": {}}}]},
}


class TestMalformedRequests:
    @pytest.mark.parametrize("fault", OPENAI_FAULTS)
    def test_openai(self, llm: Llm, openai_client: openai.OpenAI, fault: str) -> None:
        body = {"model": "m", "messages": ASK, **OPENAI_FAULTS[fault]}
        with pytest.raises(openai.BadRequestError):
            openai_client.post("/chat/completions", body=body, cast_to=object)
        self.assert_blamed(llm)

    @pytest.mark.parametrize("fault", ANTHROPIC_FAULTS)
    def test_anthropic(self, llm: Llm, anthropic_client: anthropic.Anthropic, fault: str) -> None:
        body = {"model": "m", "max_tokens": 10, "messages": ASK, **ANTHROPIC_FAULTS[fault]}
        with pytest.raises(anthropic.BadRequestError):
            anthropic_client.post("/v1/messages", body=body, cast_to=object)
        self.assert_blamed(llm)

    def test_no_version(self, llm: Llm, anthropic_client: anthropic.Anthropic) -> None:
        with pytest.raises(anthropic.BadRequestError, match="anthropic-version"):
            anthropic_message(anthropic_client, extra_headers={"anthropic-version": "2020-01-01"})
        self.assert_blamed(llm)

    def test_another_path(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        with pytest.raises(openai.NotFoundError):
            openai_client.models.list()
        self.assert_blamed(llm)

    def test_a_request_that_no_reply_is_queued_for(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        with pytest.raises(openai.BadRequestError, match="queued no"):
            openai_text(openai_client)
        self.assert_blamed(llm)

    def test_a_reply_that_the_test_got_wrong(self, llm: Llm, openai_client: openai.OpenAI) -> None:
        def author(request: LlmRequest) -> str:
            return request.tool("__none")

        llm.reply_by(author)
        with pytest.raises(openai.BadRequestError, match="no single tool ends with"):
            openai_text(openai_client)
        self.assert_blamed(llm)

    def assert_blamed(self, llm: Llm) -> None:
        for use in (lambda: llm.requests, llm.check, lambda: llm.reply("x")):
            with pytest.raises(MalformedRequest):
                use()
        assert len(llm.take_violations()) == 1
        llm.check()


def test_it_is_gone_when_closed() -> None:
    with Llm() as llm:
        url = llm.openai_url
    client = openai.OpenAI(base_url=url, api_key="x", max_retries=0)
    with pytest.raises(openai.APIConnectionError):
        openai_text(client)


def test_two_servers_do_not_share_ports() -> None:
    with Llm() as one, Llm() as other:
        assert len({one.port, other.port, unused_port()}) == 3
        assert one.api_key != other.api_key
        wait_until(lambda: one.unanswered == 0, "nothing is queued")
