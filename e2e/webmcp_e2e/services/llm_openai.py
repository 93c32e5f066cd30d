"""The wire format of ``POST /v1/chat/completions``, checked by the ``openai`` package's own types."""

from __future__ import annotations

import hmac
import json
import re
import time
import uuid
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)

from .llm_script import Fail, LlmRequest, Piece, ToolCall
from .llm_validation import MalformedRequest, VendorType, check_json_schema
from .llm_wire import Headers, Refused, in_fragments, message_of

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MOST_TOOLS = 128
_ERROR_TYPES = {401: "invalid_request_error", 429: "requests", 400: "invalid_request_error"}
_ERROR_CODES = {401: "invalid_api_key", 429: "rate_limit_exceeded"}


class OpenAiWire:
    """As api.openai.com answers, and the many servers that are compatible with it."""

    @cached_property
    def _types(self) -> dict[bool, VendorType]:
        return {
            True: VendorType(CompletionCreateParamsStreaming),
            False: VendorType(CompletionCreateParamsNonStreaming),
        }

    def authorize(self, headers: Headers, key: str) -> None:
        """Bearer token."""
        if not hmac.compare_digest(headers.get("authorization", "").encode(), f"Bearer {key}".encode()):
            raise Refused(401, self.error(Fail(401, "Incorrect API key provided."), None))

    def preflight(self, headers: Headers) -> Headers:
        """Any origin, any header."""
        return {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": "POST",
            "Access-Control-Allow-Headers": headers.get("access-control-request-headers", "*"),
        }

    def check(self, headers: Headers, body: Any) -> None:
        """Types, then what the types do not say: names, schemas, the order of calls and results."""
        streams = isinstance(body, dict) and body.get("stream") is True
        self._types[streams].check(body)
        if "stream_options" in body and not streams:
            raise MalformedRequest("stream_options: only allowed when stream is enabled")
        _check_tools(body)
        _check_order(body["messages"])

    def encoder(self, request: LlmRequest) -> OpenAiEncoder:
        """For a streamed answer."""
        return OpenAiEncoder(self, request)

    def whole(self, request: LlmRequest, pieces: Iterable[Piece], finish: str) -> dict[str, Any]:
        """A ``chat.completion``."""
        said = list(pieces)
        text = "".join(one for one in said if isinstance(one, str))
        calls = [one for one in said if isinstance(one, ToolCall)]
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if calls:
            message["tool_calls"] = [_call_member(call) for call in calls]
        answer = {
            **_head(request, "chat.completion"),
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else finish}],
            "usage": _usage(len(text.split())),
        }
        return ChatCompletion.model_validate(answer).model_dump(mode="json", exclude_unset=True)

    def error(self, failure: Fail, request: LlmRequest | None) -> dict[str, Any]:
        """``{"error": {message, type, param, code}}``."""
        kind = _ERROR_TYPES.get(failure.status, "server_error")
        error: dict[str, Any] = {"message": message_of(failure), "type": kind, "param": None}
        error["code"] = _ERROR_CODES.get(failure.status)
        if failure.tool is not None and request is not None:
            at = list(request.tools).index(failure.tool)
            error["message"] = f"Invalid schema for function '{failure.tool}': {message_of(failure)}"
            error["param"] = f"tools[{at}].function.parameters"
            error["code"] = "invalid_function_parameters"
        return {"error": error}


class OpenAiEncoder:
    """``data:`` lines of ``chat.completion.chunk``, closed by ``[DONE]``."""

    def __init__(self, wire: OpenAiWire, request: LlmRequest) -> None:
        self._wire = wire
        self._request = request
        self._head = _head(request, "chat.completion.chunk")
        self._calls = 0
        self._words = 0

    def begin(self) -> Iterator[bytes]:
        """The role."""
        yield self._delta({"role": "assistant", "content": ""})

    def text(self, delta: str) -> Iterator[bytes]:
        """A piece of ``content``."""
        self._words += 1
        yield self._delta({"content": delta})

    def tool_call(self, call: ToolCall) -> Iterator[bytes]:
        """Id and name first, then the arguments."""
        at, member = self._calls, _call_member(call)
        self._calls += 1
        arguments = member["function"]["arguments"]
        begin = {**member, "index": at, "function": {**member["function"], "arguments": ""}}
        yield self._delta({"tool_calls": [begin]})
        for fragment in in_fragments(arguments):
            yield self._delta({"tool_calls": [{"index": at, "function": {"arguments": fragment}}]})

    def fail(self, failure: Fail) -> Iterator[bytes]:
        """An ``error`` member in place of a chunk."""
        yield _line(json.dumps(self._wire.error(failure, self._request)))

    def end(self, finish: str) -> Iterator[bytes]:
        """The reason, usage where it was asked for, and ``[DONE]``."""
        yield self._delta({}, "tool_calls" if self._calls else finish)
        if (self._request.body.get("stream_options") or {}).get("include_usage"):
            yield self._chunk({"choices": [], "usage": _usage(self._words)})
        yield _line("[DONE]")

    def _delta(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        return self._chunk({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    def _chunk(self, members: dict[str, Any]) -> bytes:
        chunk = ChatCompletionChunk.model_validate({**self._head, **members})
        return _line(chunk.model_dump_json(exclude_unset=True))


def _line(data: str) -> bytes:
    return f"data: {data}\n\n".encode()


def _head(request: LlmRequest, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": kind,
        "created": int(time.time()),
        "model": request.body["model"],
    }


def _usage(words: int) -> dict[str, int]:
    return {"prompt_tokens": 100, "completion_tokens": words, "total_tokens": 100 + words}


def _call_member(call: ToolCall) -> dict[str, Any]:
    arguments = call.args if isinstance(call.args, str) else json.dumps(call.args)
    function = {"name": call.name, "arguments": arguments}
    return {"id": f"call_{uuid.uuid4().hex[:24]}", "type": "function", "function": function}


def _check_tools(body: dict[str, Any]) -> None:
    tools = body.get("tools")
    if tools is None:
        return
    if not 0 < len(tools) <= _MOST_TOOLS:
        raise MalformedRequest(f"tools: {len(tools)} of them, expected 1 to {_MOST_TOOLS}")
    for at, tool in enumerate(tools):
        function = tool["function"]
        if not _TOOL_NAME.fullmatch(function["name"]):
            raise MalformedRequest(f"tools[{at}].function.name: {function['name']!r} is not legal")
        if "parameters" in function:
            check_json_schema(function["parameters"], f"tools[{at}].function.parameters")


def _check_order(messages: list[dict[str, Any]]) -> None:
    """Each call is answered by a tool message right after it, and each tool message answers a call."""
    if not messages:
        raise MalformedRequest("messages: at least one is needed")
    waiting: set[str] = set()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                raise MalformedRequest(f"messages.{at}: no call before it has this tool_call_id")
            waiting.remove(message["tool_call_id"])
        elif waiting:
            raise MalformedRequest(
                f"messages.{at}: calls without a tool message before it: {sorted(waiting)}"
            )
        else:
            waiting = {call["id"] for call in message.get("tool_calls", ())}
    if waiting:
        raise MalformedRequest(f"messages: the last calls have no tool message: {sorted(waiting)}")
