"""A browser and an MCP client for the relay's tests: real sockets, real processes, no browser."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup
from mcp import Client, StdioServerParameters
from websockets.asyncio.client import ClientConnection, connect
from websockets.protocol import State
from websockets.typing import Subprotocol

from webmcp_e2e.contract import ERROR_META
from webmcp_e2e.relay import backend
from webmcp_e2e.relay.relay import Relay
from webmcp_e2e.services.ports import port_range

EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
SHOP = "http://shop.test"
WAIT_S = 10.0
"""Bound of every wait; nothing is asserted about how soon things happen."""
NPM_RELAY = Path(__file__).parents[2] / "extensions/node_modules/@mcp-b/webmcp-local-relay/dist/cli.js"
RELAY = [sys.executable, "-m", "webmcp_e2e.relay.cli"]

_held = ExitStack()
atexit.register(_held.close)


def free_ports(count: int = 1) -> list[int]:
    """`count` neighbouring ports that are this process's own until it ends."""
    return list(_held.enter_context(port_range(count)))


async def eventually(condition: Callable[[], Any], what: str = "the condition") -> Any:
    """The first true value of `condition`, looked at again after every turn of the loop's clock."""
    with anyio.move_on_after(WAIT_S):
        while True:
            value = condition()
            if value:
                return value
            await anyio.sleep(0.005)
    raise AssertionError(f"{what} did not come true within {WAIT_S} s")


def tool(name: str, **members: Any) -> dict[str, Any]:
    """A tool as a page registers it."""
    return {"name": name, "description": f"does {name}", "inputSchema": {"type": "object"}, **members}


def text(value: str) -> dict[str, Any]:
    """An MCP result with one text."""
    return {"content": [{"type": "text", "text": value}]}


def error_of(result: Any) -> tuple[str, str]:
    """``(code, executed)`` of an error result in the one MCP shape; fails for anything else."""
    plain = result if isinstance(result, dict) else result.model_dump(by_alias=True, exclude_none=True)
    assert plain.get("isError") is True, plain
    meta = plain["_meta"][ERROR_META]
    assert plain["content"][0]["text"].startswith(f"{meta['code']}: ")
    return meta["code"], meta["executed"]


class FakeBrowser:
    """One socket of a browser. It answers pings and keeps every other frame."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self.answers_pings = True
        self.on_invoke: Callable[[dict[str, Any]], Any] | None = None
        """Gives the result of a call; `None` leaves it unanswered."""

    async def run(self) -> None:
        """Read until the socket closes."""
        async for message in self.socket:
            frame = json.loads(message)
            self.frames.append(frame)
            if frame["type"] == "ping" and self.answers_pings:
                await self.send({"type": "pong"})
            if frame["type"] == "invoke" and self.on_invoke is not None:
                result = self.on_invoke(frame)
                if result is not None:
                    await self.answer(frame, result)

    async def send(self, frame: dict[str, Any]) -> None:
        """Send one frame."""
        await self.socket.send(json.dumps(frame))

    async def hello(
        self, *tools: dict[str, Any], tab: str = "7", origin: str | None = SHOP, **more: Any
    ) -> None:
        """Say hello and list `tools`, together."""
        hello = {"type": "hello", "tabId": tab, "url": f"{origin}/orders", "title": "Orders", **more}
        if origin is not None:
            hello["origin"] = origin
        await self.send(hello)
        await self.send({"type": "tools/list", "tools": list(tools)})

    async def answer(self, invoke: dict[str, Any], result: Any) -> None:
        """Answer a call."""
        await self.send({"type": "result", "callId": invoke["callId"], "result": result})

    async def frame(self, kind: str, number: int = 1) -> dict[str, Any]:
        """The `number`-th frame of that type, waited for."""
        found = await eventually(lambda: self.all(kind)[number - 1 :], f"frame {number} of type {kind}")
        return found[0]

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Every frame of that type so far."""
        return [frame for frame in self.frames if frame["type"] == kind]

    async def closed(self) -> int:
        """The close code, waited for."""
        with anyio.fail_after(WAIT_S):
            await self.socket.wait_closed()
        return self.socket.close_code or 0

    async def vanish(self) -> None:
        """Fall away as a stopped worker does: without a closing handshake."""
        self.socket.transport.abort()
        await self.closed()


@asynccontextmanager
async def browser(
    port: int, *, origin: str | None = EXTENSION, protocols: tuple[str, ...] = ("webmcp.v1",)
) -> AsyncIterator[FakeBrowser]:
    """A connected browser that has got its ``server-hello``."""
    uri = f"ws://127.0.0.1:{port}/"
    headers = {"Origin": origin} if origin else None
    opened = await connect(
        uri, additional_headers=headers, subprotocols=[Subprotocol(name) for name in protocols],
        max_size=None, compression=None, ping_interval=None,
    )  # fmt: skip
    fake = FakeBrowser(opened)
    reading = asyncio.ensure_future(fake.run())
    try:
        await fake.frame("server-hello")
        yield fake
    finally:
        reading.cancel()
        if opened.state is State.OPEN:
            opened.transport.abort()


class Notes:
    """Notifications that an MCP client got."""

    def __init__(self) -> None:
        self.list_changed = 0

    async def __call__(self, message: Any) -> None:
        """Count one."""
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self.list_changed += 1


@asynccontextmanager
async def client(*args: str, command: list[str] | None = None, mode: Any = "legacy") -> AsyncIterator[Client]:
    """A real MCP client with a relay process of its own."""
    program, *rest = [*(command or RELAY), *args]
    notes = Notes()
    server = StdioServerParameters(command=program, args=rest, env=dict(os.environ))
    async with Client(server, mode=mode, message_handler=notes) as connected:
        connected.notes = notes  # type: ignore[attr-defined]
        yield connected


async def tool_names(connected: Client) -> list[str]:
    """Names of the pages' tools."""
    listed = await connected.list_tools()
    return [found.name for found in listed.tools if not found.name.startswith("webmcp_")]


async def until_listed(connected: Client, *names: str) -> None:
    """Wait until exactly these pages' tools are listed."""
    with anyio.fail_after(WAIT_S):
        while sorted(await tool_names(connected)) != sorted(names):
            await anyio.sleep(0.01)


class RunningRelay(Relay):
    """A relay in this process, called without the MCP side."""

    async def call(self, name: str, **args: Any) -> dict[str, Any]:
        return await backend.call(self, name, args)

    def names(self) -> list[str]:
        return [listed.name for listed in self.tools()]


StartRelay = Callable[..., Awaitable[RunningRelay]]


class Asked:
    """A call that runs in the background."""

    def __init__(self, group: TaskGroup, ask: Callable[[], Awaitable[Any]]) -> None:
        self.result: Any = None
        self._ask = ask
        group.start_soon(self._run)

    async def _run(self) -> None:
        self.result = await self._ask()

    async def ended(self) -> Any:
        return await eventually(lambda: self.result, "the call's end")
