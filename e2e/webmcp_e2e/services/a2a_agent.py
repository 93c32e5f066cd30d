"""A real A2A agent: the official SDK's server, with an analyst behind it that works on what it is told."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import socket
import threading
from types import TracebackType
from typing import Final

import uvicorn
from a2a.helpers import new_data_part, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    HTTPAuthSecurityScheme,
    SecurityScheme,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webmcp_e2e.waiting import wait_until

from .a2a_analyst import analyse
from .a2a_request import A2aRequest

__all__ = ["A2aAgent", "A2aRequest"]

_LOOPBACK: Final = "127.0.0.1"
_RPC_PATH: Final = "/rpc"
_CARD_PATH: Final = "/.well-known/agent-card.json"
_SHUTDOWN_SECONDS: Final = 1


class A2aAgent:
    """The analyst on a loopback port of its own; a context manager.

    It wants ``token`` as a Bearer token. Told of order rows, it works on a task and answers with an artifact; asked
    a question without rows, it answers with a message; told anything else, it asks for rows (``input-required``)
    and goes on when the task gets them.

    Args:
        protocols: the protocol versions that its card offers, ``1.0`` and ``0.3``.
    """

    def __init__(self, protocols: tuple[str, ...] = ("1.0", "0.3")) -> None:
        self.token = f"a2a-test-{secrets.token_hex(16)}"
        self.requests: list[A2aRequest] = []
        self._protocols = protocols
        self._executor = _Analyst()
        self._socket: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def texts(self) -> list[str]:
        """What the agent was told, oldest first."""
        return list(self._executor.texts)

    @property
    def most_at_once(self) -> int:
        """How many tasks ran at the same time, at most."""
        return self._executor.most_at_once

    @property
    def origin(self) -> str:
        """``http://127.0.0.1:PORT``."""
        if self._socket is None:
            raise RuntimeError("The A2A agent is not running. Use it in a with block, or call start().")
        return f"http://{_LOOPBACK}:{self._socket.getsockname()[1]}"

    @property
    def card_url(self) -> str:
        """Where its card is, which needs no token."""
        return f"{self.origin}{_CARD_PATH}"

    @property
    def endpoint(self) -> str:
        """Where it takes JSON-RPC."""
        return f"{self.origin}{_RPC_PATH}"

    def start(self) -> A2aAgent:
        """Starts serving; returns itself."""
        self._socket = socket.create_server((_LOOPBACK, 0))
        config = uvicorn.Config(
            self._application(),
            log_config=None,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="a2a-agent", daemon=True)
        self._thread.start()
        server = self._server
        wait_until(lambda: server.started, "the A2A agent serves")
        return self

    def close(self) -> None:
        """Stops serving; idempotent."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(5 * _SHUTDOWN_SECONDS)
        if self._socket is not None:
            self._socket.close()
        self._server = self._thread = self._socket = None

    def __enter__(self) -> A2aAgent:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _serve(self) -> None:
        assert self._server is not None
        assert self._socket is not None
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def _application(self) -> ASGIApp:
        card = self._card()
        handler = DefaultRequestHandler(self._executor, InMemoryTaskStore(), card)
        rpc = create_jsonrpc_routes(handler, _RPC_PATH, enable_v0_3_compat="0.3" in self._protocols)
        application = Starlette(routes=[*create_agent_card_routes(card), *rpc])
        return _Guard(application, self.token, self.requests)

    def _card(self) -> AgentCard:
        interfaces = [
            AgentInterface(url=self.endpoint, protocol_binding="JSONRPC", protocol_version=version)
            for version in self._protocols
        ]
        skill = AgentSkill(
            id="analyse-orders",
            name="Analyse orders",
            description="Count, total, totals by warehouse and the largest of some orders.",
            tags=["orders", "figures"],
        )
        bearer = SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme="bearer"))
        return AgentCard(
            name="Order analyst",
            description="Analyses order rows that it is given as JSON.",
            version="1.0.0",
            supported_interfaces=interfaces,
            capabilities=AgentCapabilities(streaming=True),
            default_input_modes=["text/plain"],
            default_output_modes=["text/plain"],
            skills=[skill],
            security_schemes={"bearer": bearer},
        )


class _Analyst(AgentExecutor):
    """The executor that the SDK's server calls once a message."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.most_at_once = 0
        self._running = 0

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answers one message, by a message or by a task."""
        self._running += 1
        self.most_at_once = max(self.most_at_once, self._running)
        try:
            await self._answer(context, event_queue)
        finally:
            self._running -= 1

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """A task that waits for rows can be called off."""
        await _updater(context, event_queue).cancel()

    async def _answer(self, context: RequestContext, queue: EventQueue) -> None:
        text = context.get_user_input()
        self.texts.append(text)
        analysis = analyse(text)
        if analysis is None and text.rstrip().endswith("?") and context.current_task is None:
            await queue.enqueue_event(new_text_message("I analyse orders. Give me their rows as JSON."))
            return
        if context.current_task is None:
            assert context.message is not None
            await queue.enqueue_event(new_task_from_user_message(context.message))
        updater = _updater(context, queue)
        if analysis is None:
            await updater.requires_input(
                updater.new_agent_message([new_text_part("Which orders? I need rows.")])
            )
            return
        await updater.start_work()
        parts = [new_text_part(analysis.text), new_data_part(analysis.data)]
        await updater.add_artifact(parts, name="analysis")
        await updater.complete()


def _updater(context: RequestContext, queue: EventQueue) -> TaskUpdater:
    assert context.task_id is not None
    assert context.context_id is not None
    return TaskUpdater(queue, context.task_id, context.context_id)


class _Guard:
    """Lets nobody in without the token, and keeps a record of who came in."""

    def __init__(self, application: ASGIApp, token: str, record: list[A2aRequest]) -> None:
        self._application = application
        self._expected = f"Bearer {token}".encode()
        self._record = record

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != _RPC_PATH:
            await self._application(scope, receive, send)
            return
        request = Request(scope, receive)
        if not hmac.compare_digest(request.headers.get("authorization", "").encode(), self._expected):
            refusal = JSONResponse({"error": "unauthorized"}, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        body = await request.body()
        self._note(body, request.headers.get("a2a-version", ""))
        await self._application(scope, _again(body, receive), send)

    def _note(self, body: bytes, version: str) -> None:
        try:
            rpc = json.loads(body)
        except ValueError:
            rpc = {}
        self._record.append(A2aRequest(rpc.get("method", ""), rpc.get("params", {}), version))


def _again(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives a body once more that was read already."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
