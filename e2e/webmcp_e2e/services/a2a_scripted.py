"""An A2A agent that does what a test says, right or wrong: it lies, stalls, asks, fails and sends garbage.

It speaks JSON-RPC of A2A 0.3. Requests are checked with the official SDK's own types of that version; one that is
malformed fails the test.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import uuid
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from a2a.compat.v0_3.types import CancelTaskRequest, GetTaskRequest, SendMessageRequest
from aiohttp import web
from pydantic import BaseModel, ValidationError

from .a2a_request import A2aRequest
from .hold import Hold
from .loopback import LoopbackService

__all__ = ["A2aRequest", "Hold", "MalformedA2aRequest", "Raw", "Refuses", "Says", "ScriptedA2aAgent", "Step"]

_CARD_PATH: Final = "/.well-known/agent-card.json"
_RPC_PATH: Final = "/rpc"
_TYPES: Final[dict[str, type[BaseModel]]] = {
    "message/send": SendMessageRequest,
    "tasks/get": GetTaskRequest,
    "tasks/cancel": CancelTaskRequest,
}

TaskState = Literal[
    "submitted",
    "working",
    "input-required",
    "auth-required",
    "completed",
    "canceled",
    "failed",
    "rejected",
    "unknown",
]


class MalformedA2aRequest(AssertionError):
    """A request that is not one of A2A 0.3; the message says what is wrong with it."""


@dataclass(frozen=True)
class Says:
    """A direct message in place of a task."""

    text: str


@dataclass(frozen=True)
class Step:
    """A task's state, the words that go with it, and the texts of its artifacts."""

    state: TaskState
    text: str = ""
    artifacts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refuses:
    """A JSON-RPC error."""

    code: int
    message: str


@dataclass(frozen=True)
class Raw:
    """Any HTTP answer: ``body`` as bytes or text as it is, or as JSON."""

    body: bytes | str | Mapping[str, Any] = b""
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> web.Response:
        """As aiohttp sends it."""
        body = json.dumps(self.body) if isinstance(self.body, Mapping) else self.body
        raw = body.encode() if isinstance(body, str) else body
        return web.Response(
            body=raw, status=self.status, content_type=self.content_type, headers=dict(self.headers)
        )


Answer: TypeAlias = Says | Step | Refuses | Raw | Hold


class ScriptedA2aAgent(LoopbackService):
    """The agent; a context manager. Answers are queued by ``answer`` and given in that order.

    ``tasks/get`` takes the next answer too: a task's life is a row of ``Step``. A ``Hold`` keeps the request that
    comes to it until it is released, and is then followed by the next answer. ``tasks/cancel`` is granted as it comes.

    Args:
        card: replaces members of the card (``None`` leaves one out), or is the whole answer in its place.
        token: the Bearer token that it wants; ``None`` for a new one, ``""`` for an agent that wants none.
    """

    def __init__(
        self, *, card: Mapping[str, Any] | Raw | Hold | None = None, token: str | None = None
    ) -> None:
        super().__init__()
        self.token = f"a2a-test-{secrets.token_hex(16)}" if token is None else token
        self.card = card
        self.card_requests = 0
        """How often the card was asked for."""
        self.most_at_once = 0
        """How many ``message/send`` were being answered at the same time, at most."""
        self._lock = threading.Lock()
        self._answers: deque[Answer] = deque()
        self._requests: list[A2aRequest] = []
        self._violations: list[str] = []
        self._sending = 0

    @property
    def card_url(self) -> str:
        """Where its card is."""
        return f"{self.origin}{_CARD_PATH}"

    @property
    def endpoint(self) -> str:
        """Where it takes JSON-RPC."""
        return f"{self.origin}{_RPC_PATH}"

    def answer(self, *answers: Answer) -> None:
        """Queues answers to the next requests."""
        with self._lock:
            self._answers.extend(answers)

    @property
    def unanswered(self) -> int:
        """How many queued answers nobody has asked for."""
        with self._lock:
            return len(self._answers)

    @property
    def requests(self) -> list[A2aRequest]:
        """The well-formed requests with the token so far. Raises MalformedA2aRequest like ``check``."""
        self.check()
        with self._lock:
            return list(self._requests)

    def check(self) -> None:
        """Raises MalformedA2aRequest when any request so far was none of A2A 0.3, or came unexpected."""
        with self._lock:
            if self._violations:
                raise MalformedA2aRequest("\n".join(self._violations))

    def take_violations(self) -> list[str]:
        """What was wrong so far, which is then forgotten."""
        with self._lock:
            taken, self._violations = self._violations, []
            return taken

    def application(self) -> web.Application:
        """Card and endpoint."""
        application = web.Application()
        application.router.add_get(_CARD_PATH, self._give_card)
        application.router.add_post(_RPC_PATH, self._take)
        return application

    async def _give_card(self, request: web.Request) -> web.Response:
        self.card_requests += 1
        if isinstance(self.card, Hold):
            await self.card.wait()
        if isinstance(self.card, Raw):
            return self.card.response()
        changes = self.card if isinstance(self.card, Mapping) else {}
        card = {**_card(self.endpoint), **changes}
        return web.json_response({key: value for key, value in card.items() if value is not None})

    async def _take(self, http: web.Request) -> web.Response:
        given = http.headers.get("Authorization", "")
        if self.token and not hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
            return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        try:
            rpc = _parsed(await http.read())
        except MalformedA2aRequest as error:
            return self._blame(str(error))
        with self._lock:
            version = http.headers.get("A2A-Version", "")
            self._requests.append(A2aRequest(rpc["method"], rpc["params"], version))
        return await self._counted(rpc)

    async def _counted(self, rpc: dict[str, Any]) -> web.Response:
        sends = rpc["method"] == "message/send"
        self._sending += sends
        self.most_at_once = max(self.most_at_once, self._sending)
        try:
            return await self._answered(rpc)
        finally:
            self._sending -= sends

    async def _answered(self, rpc: dict[str, Any]) -> web.Response:
        if rpc["method"] == "tasks/cancel":
            return _response(Step("canceled"), rpc)
        while True:
            with self._lock:
                answer = self._answers.popleft() if self._answers else None
            if answer is None:
                return self._blame(f"{rpc['method']} came, but the test has queued no (more) answer")
            if not isinstance(answer, Hold):
                return _response(answer, rpc)
            await answer.wait()

    def _blame(self, message: str) -> web.Response:
        with self._lock:
            self._violations.append(message)
        return web.json_response({"error": message}, status=400)


def _card(endpoint: str) -> dict[str, Any]:
    skill = {"id": "anything", "name": "Anything", "description": "As the test says.", "tags": ["test"]}
    return {
        "protocolVersion": "0.3.0",
        "name": "Scripted agent",
        "description": "Does what the test says.",
        "version": "1.0.0",
        "url": endpoint,
        "preferredTransport": "JSONRPC",
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [skill],
    }


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        rpc = json.loads(raw)
        method = rpc["method"]
        _TYPES[method].model_validate(rpc, strict=False, extra="forbid")
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise MalformedA2aRequest(f"no request of A2A 0.3: {raw[:2_000]!r}: {error}") from None
    return dict(rpc)


def _response(answer: Says | Step | Refuses | Raw, rpc: dict[str, Any]) -> web.Response:
    if isinstance(answer, Raw):
        return answer.response()
    envelope: dict[str, Any] = {"jsonrpc": "2.0", "id": rpc["id"]}
    if isinstance(answer, Refuses):
        envelope["error"] = {"code": answer.code, "message": answer.message}
    elif isinstance(answer, Says):
        envelope["result"] = _message(answer.text)
    else:
        envelope["result"] = _task(answer, rpc)
    return web.json_response(envelope)


def _message(text: str) -> dict[str, Any]:
    return {
        "kind": "message",
        "messageId": uuid.uuid4().hex,
        "role": "agent",
        "parts": [{"kind": "text", "text": text}],
    }


def _task(step: Step, rpc: dict[str, Any]) -> dict[str, Any]:
    """The task of the request: the one that it names, else a new one whose id follows from the message's."""
    params = rpc["params"]
    message = params.get("message", {})
    task_id = params.get("id") or message.get("taskId") or f"task-{message['messageId']}"
    status: dict[str, Any] = {"state": step.state}
    if step.text:
        status["message"] = _message(step.text)
    artifacts = [
        {"artifactId": f"a{at}", "parts": [{"kind": "text", "text": text}]}
        for at, text in enumerate(step.artifacts)
    ]
    return {
        "kind": "task",
        "id": task_id,
        "contextId": f"context-{task_id}",
        "status": status,
        "artifacts": artifacts,
    }
