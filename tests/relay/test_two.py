"""Relay and relay: joining, taking over, and the published npm relay as either end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from relay_support import (
    NPM_RELAY,
    SHOP,
    WAIT_S,
    Asked,
    RunningRelay,
    StartRelay,
    browser,
    client,
    error_of,
    eventually,
    free_ports,
    text,
    tool,
    tool_names,
    until_listed,
)
from websockets.asyncio.server import ServerConnection, serve
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

pytestmark = pytest.mark.anyio


@pytest.fixture
async def pair(start_relay: StartRelay) -> tuple[RunningRelay, RunningRelay]:
    """A relay that holds a port and one that joined it."""
    ports = free_ports()
    first, second = await start_relay(ports=ports), await start_relay(ports=ports)
    assert (first.mode, second.mode) == ("server", "joined")
    return first, second


async def test_the_second_lists_and_calls_what_the_first_has(pair: tuple[RunningRelay, RunningRelay]) -> None:
    first, second = pair
    async with browser(first.port) as tab:
        tab.on_invoke = lambda frame: text(frame["toolName"])
        await tab.hello(tool("orders.search", title="Search"), tool("echo"))
        await eventually(lambda: second.names() == first.names() != [])
        assert await second.call(first.names()[0]) == text("orders.search")
        listed = second.tools()[0]
        assert listed.definition["title"] == "Search"
        assert listed.source is not None
        assert listed.source.origin == SHOP


async def test_sources_without_tools_are_told_too(pair: tuple[RunningRelay, RunningRelay]) -> None:
    first, second = pair
    async with browser(first.port) as tab:
        await tab.hello()
        await eventually(second.sources)


async def test_an_error_passes_through_both(pair: tuple[RunningRelay, RunningRelay]) -> None:
    first, second = pair
    async with browser(first.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("slow"))
        await eventually(second.names)
        asked = Asked(group, lambda: second.call("slow"))
        await tab.frame("invoke")
        await tab.vanish()
        assert error_of(await asked.ended()) == ("source_disconnected", "unknown")


async def test_a_cancel_passes_through_both(pair: tuple[RunningRelay, RunningRelay]) -> None:
    first, second = pair
    async with browser(first.port) as tab:
        await tab.hello(tool("slow"))
        await eventually(second.names)
        async with anyio.create_task_group() as group:
            group.start_soon(second.call, "slow")
            await tab.frame("invoke")
            group.cancel_scope.cancel()
        await tab.frame("cancel")


async def test_the_second_takes_over_and_calls_through_the_first_end(
    pair: tuple[RunningRelay, RunningRelay],
) -> None:
    first, second = pair
    async with browser(first.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("slow"))
        await eventually(second.names)
        asked = Asked(group, lambda: second.call("slow"))
        await tab.frame("invoke")
        await first.stop()
        assert error_of(await asked.ended()) == ("relay_gone", "unknown")
    await eventually(lambda: second.mode == "server" and second.port == first.port)
    async with browser(second.port) as tab:
        tab.on_invoke = lambda frame: text("taken over")
        await tab.hello(tool("slow"))
        await eventually(second.names)
        assert await second.call("slow") == text("taken over")


async def test_of_two_that_are_left_one_takes_over_and_the_other_joins_it(start_relay: StartRelay) -> None:
    ports = free_ports()
    first, second, third = [await start_relay(ports=ports) for _ in range(3)]
    await first.stop()
    await eventually(lambda: sorted([second.mode, third.mode]) == ["joined", "server"])
    holder = second if second.mode == "server" else third
    async with browser(ports[0]) as tab:
        await tab.hello(tool("echo"))
        await eventually(lambda: second.names() == third.names() == ["echo"])
    assert holder.port == ports[0]


async def test_a_refresh_goes_through_the_first(pair: tuple[RunningRelay, RunningRelay]) -> None:
    first, second = pair
    async with browser(first.port) as tab:
        await tab.hello()
        await eventually(second.sources)
        second.refresh(f"{SHOP}/orders", lambda result: None)
        await tab.frame("reload")


async def test_eight_megabytes_pass_between_two_of_ours(pair: tuple[RunningRelay, RunningRelay]) -> None:
    first, second = pair
    async with browser(first.port) as tab:
        tab.on_invoke = lambda frame: text("x" * 8_000_000)
        await tab.hello(tool("big"))
        await eventually(second.names)
        assert await second.call("big") == text("x" * 8_000_000)


async def test_a_relay_that_says_no_limit_gets_one_megabyte(relay: RunningRelay) -> None:
    async with (
        browser(relay.port) as tab,
        browser(relay.port, origin=None, protocols=("webmcp-relay.v1",)) as old,
    ):
        tab.on_invoke = lambda frame: text("x" * frame["args"]["bytes"])
        await tab.hello(tool("big"))
        await eventually(relay.names)
        await old.send({"type": "relay/hello"})
        for call_id, size in (("a", 1_000_001), ("b", 900_000)):
            invoke = {"type": "relay/invoke", "callId": call_id, "toolName": "big", "args": {"bytes": size}}
            await old.send(invoke)
        await old.frame("relay/result", 2)
        results = {frame["callId"]: frame["result"] for frame in old.all("relay/result")}
        assert error_of(results["a"]) == ("too_large", "yes")
        assert results["b"] == text("x" * 900_000)


async def test_a_call_too_large_for_the_other_relay_never_leaves(start_relay: StartRelay) -> None:
    seen: list[str] = []

    async def old_relay(socket: ServerConnection) -> None:
        hello = {
            "type": "server-hello", "service": "webmcp-local-relay", "version": 1, "host": "127.0.0.1",
            "instanceId": "old", "port": port,
        }  # fmt: skip
        await socket.send(json.dumps(hello))
        async for message in socket:
            frame = json.loads(message)
            seen.append(frame["type"])
            if frame["type"] == "relay/list-tools":
                await socket.send(json.dumps({"type": "relay/tools", "tools": [tool("echo")]}))

    (port,) = free_ports()
    async with serve(old_relay, "127.0.0.1", port, subprotocols=["webmcp-relay.v1"]):
        joined = await start_relay(ports=[port])
        assert joined.names() == ["echo"]
        assert error_of(await joined.call("echo", text="x" * 1_000_000)) == ("too_large", "no")
        assert "relay/invoke" not in seen
        await joined.stop()


async def test_two_processes_share_one_browser() -> None:
    (port,) = free_ports()
    args = ("--port", str(port))
    async with client(*args) as one, client(*args) as two, browser(port) as tab:
        tab.on_invoke = lambda frame: text(frame["args"]["who"])
        await tab.hello(tool("echo"))
        for who, mcp in (("one", one), ("two", two)):
            await until_listed(mcp, "echo")
            assert (await mcp.call_tool("echo", {"who": who})).content[0].text == who
            described = [
                found.description for found in (await mcp.list_tools()).tools if found.name == "echo"
            ]
            assert described == [f"[{SHOP} · tab 7] does echo"]


@asynccontextmanager
async def npm_home(tmp_path: Path) -> AsyncIterator[list[str]]:
    """The published relay's command; its port cache goes to a home of its own."""
    yield ["env", f"HOME={tmp_path}", "node", str(NPM_RELAY)]


async def test_ours_joins_the_published_relay(tmp_path: Path) -> None:
    (port,) = free_ports()
    async with npm_home(tmp_path) as npm, client("--port", str(port), command=npm) as theirs:
        async with client("--port", str(port)) as ours, browser(port) as tab:
            tab.on_invoke = lambda frame: text(frame["toolName"])
            await tab.hello(tool("echo"), tool("n" * 90))
            with anyio.fail_after(10):
                while len(await tool_names(ours)) < 2:
                    await anyio.sleep(0.01)
            assert all(len(name) <= 64 for name in await tool_names(ours))
            assert (await ours.call_tool("echo", {})).content[0].text == "echo"
            long_name = next(name for name in await tool_names(ours) if name != "echo")
            assert (await ours.call_tool(long_name, {})).content[0].text == "n" * 90
        assert await theirs.list_tools()


async def test_the_published_relay_joins_ours(tmp_path: Path) -> None:
    (port,) = free_ports()
    async with client("--port", str(port)) as ours, browser(port) as tab:
        tab.on_invoke = lambda frame: text(frame["args"]["t"])
        await tab.hello(tool("echo"), {"name": "odd", "inputSchema": "no", "annotations": {"title": 7}})
        await until_listed(ours, "echo", "odd")
        async with npm_home(tmp_path) as npm, client("--port", str(port), command=npm) as theirs:
            await until_listed(theirs, "echo", "odd")
            assert (await theirs.call_tool("echo", {"t": "hi"})).content[0].text == "hi"


async def test_the_first_list_waits_until_the_hello_is_read(relay: RunningRelay) -> None:
    """The published relay loses tools that reach it in one read with `server-hello`, on a busy machine."""
    core = ClientProtocol(
        parse_uri(f"ws://127.0.0.1:{relay.port}/"), subprotocols=[Subprotocol("webmcp-relay.v1")]
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)

    async def received() -> list[Any]:
        core.receive_data(await reader.read(65536))
        return core.events_received()

    def flush() -> None:
        writer.writelines(core.data_to_send())

    with anyio.fail_after(WAIT_S):
        core.send_request(core.connect())
        flush()
        while core.state is not State.OPEN:
            await received()
        core.send_text(b'{"type":"relay/hello"}')
        core.send_text(b'{"type":"relay/list-tools"}')
        flush()
        before: list[Any] = []
        while not any(getattr(event, "opcode", None) is Opcode.PING for event in before):
            before += await received()
        assert not any(b"relay/tools" in event.data for event in before if isinstance(event, Frame))
        # The core has its pong ready: this sends it.
        flush()
        while not any(b"relay/tools" in event.data for event in await received()):
            pass
    writer.close()


def test_the_published_relay_is_installed() -> None:
    assert NPM_RELAY.exists(), "run npm ci in extensions/"
