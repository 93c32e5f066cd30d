"""The wire format of ``POST /v1/messages``, checked by the ``anthropic`` package's own types."""

from __future__ import annotations

import hmac
import json
import re
import uuid
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.message_create_params import (
    MessageCreateParamsNonStreaming,
    MessageCreateParamsStreaming,
)
from pydantic import TypeAdapter

from .llm_script import Fail, LlmRequest, Piece, ToolCall
from .llm_validation import MalformedRequest, VendorType, check_json_schema
from .llm_wire import Headers, Refused, in_fragments, message_of

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_PROPERTY_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_VERSIONS = ("2023-06-01", "2026-10-21")
_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_DIRECT_ACCESS = "anthropic-dangerous-direct-browser-access"
_STOP_REASONS = {"stop": "end_turn", "length": "max_tokens"}


class AnthropicWire:
    """As api.anthropic.com answers."""

    @cached_property
    def _types(self) -> dict[bool, VendorType]:
        return {
            True: VendorType(MessageCreateParamsStreaming),
            False: VendorType(MessageCreateParamsNonStreaming),
        }

    def authorize(self, headers: Headers, key: str) -> None:
        """A Bearer token, as the vendor's clients send it by now, or ``x-api-key``, as they did.

        A browser's request must also say that it knows what it does.
        """
        given = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), key.encode()):
            raise Refused(401, self.error(Fail(401, "invalid x-api-key"), None))
        if "origin" in headers and headers.get(_DIRECT_ACCESS) != "true":
            raise Refused(
                401, self.error(Fail(401, f"CORS requests must set '{_DIRECT_ACCESS}' header"), None)
            )

    def preflight(self, headers: Headers) -> Headers:
        """Any origin that asks for the header of direct access."""
        asked = headers.get("access-control-request-headers", "")
        if _DIRECT_ACCESS not in asked:
            return {}
        return {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": "POST",
            "Access-Control-Allow-Headers": asked,
        }

    def check(self, headers: Headers, body: Any) -> None:
        """Types, then what the types do not say: version, names, schemas, the order of uses and results."""
        version = headers.get("anthropic-version")
        if version not in _VERSIONS:
            raise MalformedRequest(f"anthropic-version: one of {_VERSIONS} is required, not {version!r}")
        streams = isinstance(body, dict) and body.get("stream") is True
        self._types[streams].check(body)
        _check_tools(body.get("tools", []))
        _check_order(body)

    def encoder(self, request: LlmRequest) -> AnthropicEncoder:
        """For a streamed answer."""
        return AnthropicEncoder(self, request)

    def whole(self, request: LlmRequest, pieces: Iterable[Piece], finish: str) -> dict[str, Any]:
        """A ``message``."""
        said = list(pieces)
        blocks: list[dict[str, Any]] = []
        text = "".join(one for one in said if isinstance(one, str))
        if text:
            blocks.append({"type": "text", "text": text, "citations": None})
        calls = [one for one in said if isinstance(one, ToolCall)]
        blocks += [{**_use_block(call), "input": call.args} for call in calls]
        stop = "tool_use" if calls else _STOP_REASONS[finish]
        answer = {**_message(request), "content": blocks, "stop_reason": stop}
        return Message.model_validate(answer).model_dump(mode="json", exclude_unset=True)

    def error(self, failure: Fail, request: LlmRequest | None) -> dict[str, Any]:
        """``{"type": "error", "error": {type, message}, "request_id"}``; a tool is named by its place only."""
        message = message_of(failure)
        if failure.tool is not None and request is not None:
            at = list(request.tools).index(failure.tool)
            message = f"tools.{at}.custom.input_schema: JSON schema is invalid. {message}"
        error = {"type": _ERROR_TYPES.get(failure.status, "api_error"), "message": message}
        return {"type": "error", "error": error, "request_id": f"req_{uuid.uuid4().hex[:24]}"}


class AnthropicEncoder:
    """Named events: a message of content blocks, each begun, filled and closed."""

    def __init__(self, wire: AnthropicWire, request: LlmRequest) -> None:
        self._wire = wire
        self._request = request
        self._blocks = 0
        self._in_text = False
        self._calls = 0
        self._words = 0

    def begin(self) -> Iterator[bytes]:
        """An empty message, and the ping that the vendor sends."""
        yield _event({"type": "message_start", "message": {**_message(self._request), "content": []}})
        yield b'event: ping\ndata: {"type": "ping"}\n\n'

    def text(self, delta: str) -> Iterator[bytes]:
        """A piece of the present text block, which begins with the first."""
        if not self._in_text:
            self._in_text = True
            block = {"type": "text", "text": "", "citations": None}
            yield _event({"type": "content_block_start", "index": self._blocks, "content_block": block})
        self._words += 1
        yield self._delta({"type": "text_delta", "text": delta})

    def tool_call(self, call: ToolCall) -> Iterator[bytes]:
        """A block of its own."""
        yield from self._close_text()
        self._calls += 1
        block = {**_use_block(call), "input": {}}
        yield _event({"type": "content_block_start", "index": self._blocks, "content_block": block})
        arguments = call.args if isinstance(call.args, str) else json.dumps(call.args)
        for fragment in ["", *in_fragments(arguments)]:
            yield self._delta({"type": "input_json_delta", "partial_json": fragment})
        yield from self._close_block()

    def fail(self, failure: Fail) -> Iterator[bytes]:
        """An ``error`` event."""
        data = json.dumps(self._wire.error(failure, self._request))
        yield f"event: error\ndata: {data}\n\n".encode()

    def end(self, finish: str) -> Iterator[bytes]:
        """The last block's end, the reason and the message's end."""
        yield from self._close_text()
        reason = "tool_use" if self._calls else _STOP_REASONS[finish]
        delta = {"stop_reason": reason, "stop_sequence": None}
        yield _event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": self._words}})
        yield _event({"type": "message_stop"})

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return _event({"type": "content_block_delta", "index": self._blocks, "delta": delta})

    def _close_text(self) -> Iterator[bytes]:
        if self._in_text:
            self._in_text = False
            yield from self._close_block()

    def _close_block(self) -> Iterator[bytes]:
        yield _event({"type": "content_block_stop", "index": self._blocks})
        self._blocks += 1


_STREAM_EVENT: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


def _event(event: dict[str, Any]) -> bytes:
    data = _STREAM_EVENT.validate_python(event).model_dump_json(exclude_unset=True)
    return f"event: {event['type']}\ndata: {data}\n\n".encode()


def _message(request: LlmRequest) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 1},
    }


def _use_block(call: ToolCall) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:24]}", "name": call.name}


def _check_tools(tools: list[dict[str, Any]]) -> None:
    names = [tool["name"] for tool in tools]
    if len(set(names)) < len(names):
        raise MalformedRequest("tools: Tool names must be unique")
    for at, tool in enumerate(tools):
        if not _TOOL_NAME.fullmatch(tool["name"]):
            raise MalformedRequest(f"tools.{at}.custom.name: {tool['name']!r} is not legal")
        where = f"tools.{at}.custom.input_schema"
        check_json_schema(tool["input_schema"], where)
        odd = [
            key for key in tool["input_schema"].get("properties") or {} if not _PROPERTY_KEY.fullmatch(key)
        ]
        if odd:
            raise MalformedRequest(f"{where}.properties: keys {odd} should match {_PROPERTY_KEY.pattern}")


def _check_order(body: dict[str, Any]) -> None:
    """The user begins; each use is answered at the beginning of the next message, and nothing else is."""
    waiting: set[str] = set()
    for at, message in enumerate(body["messages"]):
        blocks = _blocks(message, at)
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if set(results) != waiting or len(set(results)) < len(results):
            raise MalformedRequest(
                f"messages.{at}: results {results} do not answer the uses {sorted(waiting)}"
            )
        if any(block["type"] != "tool_result" for block in blocks[: len(results)]):
            raise MalformedRequest(f"messages.{at}: tool_result blocks come first")
        waiting = {block["id"] for block in blocks if block["type"] == "tool_use"}
        if (waiting or results) and not body.get("tools"):
            raise MalformedRequest("requests with tool_use or tool_result blocks must define tools")
    if waiting:
        raise MalformedRequest(f"messages: the last uses have no result: {sorted(waiting)}")


def _blocks(message: dict[str, Any], at: int) -> list[dict[str, Any]]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not blocks or any(block["type"] == "text" and not block["text"].strip() for block in blocks):
        raise MalformedRequest(f"messages.{at}: text content blocks must contain non-whitespace text")
    if at == 0 and message["role"] != "user":
        raise MalformedRequest("messages: the first must be the user's")
    return blocks
