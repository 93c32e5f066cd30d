"""A language model's server in a test's hand, in both wire formats, streaming included.

It is a real HTTP server. Every request is checked with the vendors' own Python types and by the rules that their
servers apply beyond the types; a request that the vendor would refuse fails the test.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, Literal

from aiohttp import web

from .hold import Hold
from .llm_anthropic import AnthropicWire
from .llm_openai import OpenAiWire
from .llm_script import (
    Author,
    Cut,
    Fail,
    LlmRequest,
    Piece,
    Protocol,
    ScriptedReply,
    ToolCall,
)
from .llm_stream import stream
from .llm_validation import MalformedRequest
from .llm_wire import Refused, Wire, cors_headers
from .loopback import LoopbackService

__all__ = [
    "Cut",
    "Fail",
    "Hold",
    "Llm",
    "LlmRequest",
    "MalformedRequest",
    "Protocol",
    "ScriptedReply",
    "ToolCall",
]

_MAX_BODY: Final = 32 * 2**20
_CREDENTIALS: Final = frozenset({"authorization", "x-api-key", "cookie"})

WIRES: Final[dict[Protocol, Wire]] = {"openai-compat": OpenAiWire(), "anthropic": AnthropicWire()}


class Llm(LoopbackService):
    """The server; a context manager. What it answers is queued by ``reply`` and ``reply_by``.

    ``api_key`` is the one key that it takes. A request that comes when no reply is queued is a failure too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.api_key = f"sk-test-{secrets.token_hex(16)}"
        self._lock = threading.Lock()
        self._queue: deque[ScriptedReply] = deque()
        self._requests: list[LlmRequest] = []
        self._violations: list[str] = []

    @property
    def openai_url(self) -> str:
        """Base URL of the ``openai-compat`` protocol: ``…/v1``, to which clients add ``/chat/completions``."""
        return f"{self.origin}/v1"

    @property
    def anthropic_url(self) -> str:
        """Base URL of the ``anthropic`` protocol, to which clients add ``/v1/messages``."""
        return self.origin

    def base_url(self, protocol: Protocol) -> str:
        """The base URL that a client of this protocol is given."""
        return self.openai_url if protocol == "openai-compat" else self.anthropic_url

    def reply(
        self, *pieces: Piece, rate: float | None = None, finish: Literal["stop", "length"] = "stop"
    ) -> ScriptedReply:
        """Queues one answer; see ``llm_script`` for the pieces. Raises MalformedRequest like ``check``.

        Args:
            pieces: text (streamed word by word), ``ToolCall``, ``Hold``, ``Fail``, ``Cut``.
            rate: words a second; as fast as it goes without.
            finish: why the model ends, where it calls no tool.
        """
        return self._queued(ScriptedReply(lambda _: list(pieces), rate, finish))

    def reply_by(self, author: Author, *, rate: float | None = None) -> ScriptedReply:
        """Queues one answer that ``author`` makes from the request, when that comes."""
        return self._queued(ScriptedReply(author, rate, "stop"))

    @property
    def requests(self) -> list[LlmRequest]:
        """The well-formed requests with a valid key so far, oldest first. Raises MalformedRequest like ``check``."""
        self.check()
        with self._lock:
            return list(self._requests)

    @property
    def unanswered(self) -> int:
        """How many queued replies nobody has asked for."""
        with self._lock:
            return len(self._queue)

    def check(self) -> None:
        """Raises MalformedRequest when any request so far would have been refused by the vendor."""
        with self._lock:
            if self._violations:
                raise MalformedRequest("\n".join(self._violations))

    def take_violations(self) -> list[str]:
        """What was wrong so far, which is then forgotten; for tests of malformed requests."""
        with self._lock:
            taken, self._violations = self._violations, []
            return taken

    def application(self) -> web.Application:
        """Both endpoints."""
        application = web.Application(client_max_size=_MAX_BODY)
        self._add(application, "/v1/chat/completions", "openai-compat")
        self._add(application, "/v1/messages", "anthropic")
        application.router.add_route("*", "/{other:.*}", self._elsewhere)
        return application

    def _add(self, application: web.Application, path: str, protocol: Protocol) -> None:
        async def answer(request: web.Request) -> web.StreamResponse:
            return await self._answer(request, protocol)

        async def preflight(request: web.Request) -> web.Response:
            return web.Response(status=204, headers=WIRES[protocol].preflight(request.headers))

        application.router.add_post(path, answer)
        application.router.add_options(path, preflight)

    def _queued(self, reply: ScriptedReply) -> ScriptedReply:
        self.check()
        with self._lock:
            self._queue.append(reply)
        return reply

    async def _elsewhere(self, request: web.Request) -> web.Response:
        self._blame(f"{request.method} {request.path}: there is no such endpoint")
        return web.json_response(
            {"error": {"message": "Not found", "type": "invalid_request_error"}}, status=404
        )

    async def _answer(self, http: web.Request, protocol: Protocol) -> web.StreamResponse:
        wire = WIRES[protocol]
        headers = {name.lower(): value for name, value in http.headers.items()}
        try:
            wire.authorize(headers, self.api_key)
            body = _parsed(await http.read(), headers)
            wire.check(headers, body)
        except Refused as refused:
            return web.json_response(refused.body, status=refused.status, headers=cors_headers(headers))
        except MalformedRequest as error:
            return self._malformed(f"{protocol}: {error}", wire)
        kept = {name: value for name, value in headers.items() if name not in _CREDENTIALS}
        request = LlmRequest(protocol, http.path, body, kept)
        return await self._scripted(http, request, wire)

    def _malformed(self, message: str, wire: Wire) -> web.Response:
        self._blame(message)
        return web.json_response(wire.error(Fail(400, message), None), status=400)

    def _blame(self, message: str) -> None:
        with self._lock:
            self._violations.append(message)

    async def _scripted(self, http: web.Request, request: LlmRequest, wire: Wire) -> web.StreamResponse:
        with self._lock:
            self._requests.append(request)
            reply = self._queue.popleft() if self._queue else None
        if reply is None:
            return self._malformed("the model was asked, but the test has queued no (more) reply", wire)
        try:
            pieces = reply.take(request)
            response = await self._speak(http, request, wire, reply, pieces)
        except (asyncio.CancelledError, ConnectionError):  # the client has closed the connection
            request.outcome = "abandoned"
            raise
        except (LookupError, TypeError, ValueError) as error:
            return self._malformed(f"the test's own reply failed: {error!r}", wire)
        return response

    async def _speak(
        self,
        http: web.Request,
        request: LlmRequest,
        wire: Wire,
        reply: ScriptedReply,
        pieces: Sequence[Piece],
    ) -> web.StreamResponse:
        rest = deque(pieces)
        while rest and isinstance(first := rest[0], Hold):
            await first.wait()
            rest.popleft()
        if rest and isinstance(rest[0], Fail):
            request.outcome = "answered"
            return _failed(rest[0], request, wire)
        if not request.body.get("stream"):
            request.outcome = "answered"
            return web.json_response(
                wire.whole(request, rest, reply.finish), headers=cors_headers(request.headers)
            )
        return await stream(http, request, wire.encoder(request), reply, rest)


def _parsed(raw: bytes, headers: dict[str, str]) -> Any:
    if not headers.get("content-type", "").startswith("application/json"):
        raise MalformedRequest("content-type must be application/json")
    try:
        return json.loads(raw)
    except ValueError as error:
        raise MalformedRequest(f"the body is no JSON: {error}") from None


def _failed(failure: Fail, request: LlmRequest, wire: Wire) -> web.Response:
    headers = cors_headers(request.headers)
    if failure.retry_after is not None:
        headers["Retry-After"] = f"{failure.retry_after:g}"
    return web.json_response(wire.error(failure, request), status=failure.status, headers=headers)
