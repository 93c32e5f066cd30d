"""What a test has a language model say: text, tool calls, pauses and failures, in the order of a stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from webmcp_e2e.waiting import wait_until

from .hold import Hold

Protocol = Literal["openai-compat", "anthropic"]
Outcome = Literal["answering", "answered", "abandoned"]
"""``abandoned``: the client closed the connection before the answer's end."""


@dataclass(frozen=True)
class ToolCall:
    """The model calls a tool. ``args`` is a JSON object, or text that is sent as it is (a model can err)."""

    name: str
    args: Mapping[str, Any] | str = field(default_factory=dict)


@dataclass(frozen=True)
class Fail:
    """The vendor's error: as the whole answer, or within a stream when something was said before it.

    ``retry_after`` is a header in seconds; ``tool`` makes it the refusal of that tool's schema, in the vendor's
    own words.
    """

    status: int
    message: str = ""
    retry_after: float | None = None
    tool: str | None = None


@dataclass(frozen=True)
class Cut:
    """The connection breaks here, without the stream's end."""


Piece: TypeAlias = str | ToolCall | Fail | Cut | Hold


@dataclass
class LlmRequest:
    """One request, already checked by the vendor's own types. It never holds the key.

    ``body`` is the parsed JSON; ``headers`` have lower-case names and no credentials.
    """

    protocol: Protocol
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    outcome: Outcome = "answering"

    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        """The offered tools' schemas by name."""
        if self.protocol == "anthropic":
            return {tool["name"]: tool["input_schema"] for tool in self.body.get("tools", [])}
        functions = (tool["function"] for tool in self.body.get("tools", []))
        return {one["name"]: one.get("parameters", {}) for one in functions}

    @property
    def system(self) -> str:
        """All system text, in order."""
        if self.protocol == "anthropic":
            return _text(self.body.get("system", ""))
        said = (one for one in self.body["messages"] if one["role"] in ("system", "developer"))
        return "\n".join(_text(one["content"]) for one in said)

    @property
    def user_texts(self) -> list[str]:
        """What the user wrote, oldest first."""
        said = (one for one in self.body["messages"] if one["role"] == "user")
        return [text for one in said if (text := _text(one["content"]))]

    @property
    def tool_results(self) -> list[str]:
        """The texts of all tool results in the conversation, oldest first."""
        if self.protocol == "anthropic":
            blocks = (block for one in self.body["messages"] for block in _blocks(one["content"]))
            return [_text(one.get("content", "")) for one in blocks if one["type"] == "tool_result"]
        return [_text(one["content"]) for one in self.body["messages"] if one["role"] == "tool"]

    def tool(self, ending: str) -> str:
        """The one offered tool whose name ends so: page tools are offered under a name with their tab's id."""
        found = [name for name in self.tools if name.endswith(ending)]
        if len(found) != 1:
            raise LookupError(f"no single tool ends with {ending!r}; offered: {sorted(self.tools)}")
        return found[0]


def _blocks(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(content: str | list[dict[str, Any]] | None) -> str:
    return "".join(block["text"] for block in _blocks(content or "") if block["type"] == "text")


Answer: TypeAlias = Piece | Sequence[Piece]
Author: TypeAlias = Callable[[LlmRequest], Answer]
"""Reads the request and says what the model answers."""


class ScriptedReply:
    """One answer to come, in the test's hand."""

    def __init__(self, author: Author, rate: float | None, finish: Literal["stop", "length"]) -> None:
        self._author = author
        self.rate = rate
        self.finish = finish
        self.pieces: Sequence[Piece] = ()
        self.request: LlmRequest | None = None
        """The request that got this answer, once it is there."""

    def take(self, request: LlmRequest) -> Sequence[Piece]:
        """The pieces for this request; for the server."""
        answer = self._author(request)
        self.pieces = [answer] if isinstance(answer, str | ToolCall | Fail | Cut | Hold) else list(answer)
        self.request = request
        return self.pieces

    def wait_asked(self, timeout: float = 15.0) -> LlmRequest:
        """Waits until the request has come that this answers; returns it."""
        found = wait_until(lambda: self.request, "the model is asked", timeout=timeout)
        assert found is not None
        return found

    def wait_held(self, timeout: float = 15.0) -> LlmRequest:
        """Waits until the model has come to its next ``Hold``; returns the request."""
        request = self.wait_asked(timeout)
        wait_until(lambda: self._next_hold().reached, "the model has come to its pause", timeout=timeout)
        return request

    def release(self, timeout: float = 15.0) -> None:
        """Lets the model go on from the hold that it stands at, or comes to next."""
        self.wait_held(timeout)
        self._next_hold().release()

    def wait_outcome(self, outcome: Outcome, timeout: float = 15.0) -> LlmRequest:
        """Waits until the answer has ended so."""
        request = self.wait_asked(timeout)
        wait_until(lambda: request.outcome == outcome, f"the answer is {outcome}", timeout=timeout)
        return request

    def _next_hold(self) -> Hold:
        holds = (piece for piece in self.pieces if isinstance(piece, Hold))
        return next(hold for hold in holds if not hold.released)


def tokens(text: str) -> Iterator[str]:
    """The deltas of a text: a word with the blanks before it, as models stream."""
    return iter(re.findall(r"\s*\S+|\s+$", text))
