"""What a vendor's wire format has to offer to the server that speaks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from .llm_script import Fail, LlmRequest, Piece, ToolCall

Headers = Mapping[str, str]


class Refused(Exception):
    """The vendor refuses the request: a status and the vendor's body. A person's fault, such as a wrong key."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body


class Encoder(Protocol):
    """One answer as bytes of a server-sent event stream."""

    def begin(self) -> Iterable[bytes]:
        """What comes before the first word."""

    def text(self, delta: str) -> Iterable[bytes]:
        """A piece of text."""

    def tool_call(self, call: ToolCall) -> Iterable[bytes]:
        """A whole call, its arguments in several pieces."""

    def fail(self, failure: Fail) -> Iterable[bytes]:
        """An error in the middle of the stream, which ends it."""

    def end(self, finish: str) -> Iterable[bytes]:
        """What comes after the last word; ``finish`` is ``stop`` or ``length``."""


class Wire(Protocol):
    """A wire format: its checks, its errors, its answers."""

    def authorize(self, headers: Headers, key: str) -> None:
        """Raises Refused where the vendor would answer 401."""

    def preflight(self, headers: Headers) -> Headers:
        """The answer's headers to a browser's preflight."""

    def check(self, headers: Headers, body: Any) -> None:
        """Raises MalformedRequest for anything that the vendor refuses as misshapen."""

    def encoder(self, request: LlmRequest) -> Encoder:
        """For a streamed answer."""

    def whole(self, request: LlmRequest, pieces: Iterable[Piece], finish: str) -> dict[str, Any]:
        """The body of an answer in one piece."""

    def error(self, failure: Fail, request: LlmRequest | None) -> dict[str, Any]:
        """The body of an error's answer; without a request where that could not be read."""


def in_fragments(text: str, size: int = 7) -> list[str]:
    """A text in short pieces, as models stream the arguments of a call."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def message_of(failure: Fail) -> str:
    """The failure's sentence."""
    return failure.message or {
        401: "The key is not valid.",
        429: "Rate limit reached. Please try again later.",
        500: "The server had an error while processing your request.",
        529: "Overloaded",
    }.get(failure.status, f"The request failed with {failure.status}.")


def cors_headers(request_headers: Headers) -> dict[str, str]:
    """What an answer says to a browser; nothing to other clients."""
    return {"Access-Control-Allow-Origin": "*"} if "origin" in request_headers else {}
