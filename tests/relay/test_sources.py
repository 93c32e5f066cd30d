"""Sources over a real websocket: handshake, tools, names, calls, the good-bye."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from relay_support import SHOP, RunningRelay, StartRelay, browser, error_of, eventually, text, tool

pytestmark = pytest.mark.anyio


async def test_the_first_frame_introduces_the_relay(start_relay: StartRelay) -> None:
    relay = await start_relay(relay_id="mine", workspace="shop", label="Mine")
    async with browser(relay.port) as tab:
        hello = tab.frames[0]
    assert hello.pop("instanceId")
    assert hello == {
        "type": "server-hello", "service": "webmcp-local-relay", "version": 1, "host": "127.0.0.1",
        "port": relay.port, "relayId": "mine", "workspace": "shop", "label": "Mine", "maxPayload": 10_000_000,
    }  # fmt: skip


async def test_optional_members_are_left_out_never_null(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        assert None not in tab.frames[0].values()
        assert tab.frames[0]["relayId"] == tab.frames[0]["instanceId"]


@pytest.mark.parametrize("protocols", [("webmcp.v1",), ("webmcp-discovery.v1", "webmcp.v1")])
async def test_either_subprotocol_carries_the_session(
    relay: RunningRelay, protocols: tuple[str, ...]
) -> None:
    async with browser(relay.port, protocols=protocols) as tab:
        assert tab.socket.subprotocol == protocols[0]
        tab.on_invoke = lambda frame: text(frame["args"]["text"])
        await tab.hello(tool("echo"))
        await tab.frame("hello/accepted")
        await eventually(relay.names)
        assert await relay.call("echo", text="hi") == text("hi")


async def test_an_invoke_carries_the_pages_own_name(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        tab.on_invoke = lambda frame: text(frame["toolName"])
        await tab.hello(tool("orders.search"))
        name = (await eventually(relay.names))[0]
        assert name != "orders.search"
        assert await relay.call(name) == text("orders.search")


async def test_a_source_without_tools_is_listed(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello()
        source = (await eventually(relay.sources))[0]
        assert (source.tabId, source.origin, source.toolCount) == ("7", SHOP, 0)


async def test_a_changed_list_replaces_the_former(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("one"), tool("two"))
        await eventually(lambda: relay.names() == ["one", "two"])
        await tab.send({"type": "tools/changed", "tools": [tool("three")]})
        await eventually(lambda: relay.names() == ["three"])
        assert error_of(await relay.call("one")) == ("unknown_tool", "no")


async def test_a_name_is_kept_while_its_tool_is_away(relay: RunningRelay) -> None:
    async with browser(relay.port) as first, browser(relay.port) as second:
        await first.hello(tool("search"), tab="1")
        await eventually(relay.names)
        await second.hello(tool("search"), tab="2")
        await eventually(lambda: relay.names() == ["search", "search_t2"])
        await first.send({"type": "tools/changed", "tools": []})
        await eventually(lambda: relay.names() == ["search_t2"])
        await first.send({"type": "tools/changed", "tools": [tool("search")]})
        await eventually(lambda: relay.names() == ["search", "search_t2"])


async def test_close_1000_ends_a_source_at_once(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await tab.socket.close(1000)
    await eventually(lambda: not relay.sources())


async def test_source_disconnected_ends_a_source_and_keeps_the_socket(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await tab.send({"type": "source/disconnected", "reason": "closed"})
        await eventually(lambda: not relay.sources())
        await tab.hello(tool("echo"))
        await eventually(relay.names)


async def test_a_newer_socket_of_the_same_tab_takes_over(relay: RunningRelay) -> None:
    async with browser(relay.port) as old, browser(relay.port) as new:
        await old.hello(tool("echo"))
        await eventually(relay.names)
        new.on_invoke = lambda frame: text("from the new one")
        await new.hello(tool("echo"))
        assert await old.closed() == 1008
        assert await relay.call("echo") == text("from the new one")
        assert len(relay.sources()) == 1


async def test_the_same_tab_number_of_another_extension_is_another_source(relay: RunningRelay) -> None:
    other = "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba"
    async with browser(relay.port) as one, browser(relay.port, origin=other) as two:
        await one.hello(tool("echo"))
        await eventually(relay.names)
        await two.hello(tool("echo"))
        await eventually(lambda: relay.names() == ["echo", "echo_t7"])


async def test_no_source_can_answer_the_call_of_another(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab, browser(relay.port) as thief:
        await tab.hello(tool("echo"), tab="1")
        await thief.hello(tab="2")
        await eventually(relay.names)
        async with anyio.create_task_group() as group:
            results: list[Any] = []

            async def ask() -> None:
                results.append(await relay.call("echo"))

            group.start_soon(ask)
            invoke = await tab.frame("invoke")
            await thief.answer(invoke, text("forged"))
            await thief.send({"type": "hello", "tabId": "2", "origin": "http://seen.test"})
            await eventually(lambda: any(source.origin == "http://seen.test" for source in relay.sources()))
            await tab.answer(invoke, text("honest"))
        assert results == [text("honest")]


@pytest.mark.parametrize(
    "frame",
    ["no json", "[]", '{"type":"nonsense"}', '{"no":"type"}', '{"type":"hello"}',
     '{"type":"tools/list","tools":7}',
     '{"type":"relay/invoke","callId":"1","toolName":"echo"}', '{"type":"hello","tabId":NaN}'],
)  # fmt: skip
async def test_what_means_nothing_is_ignored(relay: RunningRelay, frame: str) -> None:
    async with browser(relay.port) as tab:
        await tab.socket.send(frame)
        await tab.hello(tool("echo"))
        await eventually(relay.names)


async def test_a_hundred_of_them_close_the_socket(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        for _ in range(99):
            await tab.socket.send("nonsense")
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await tab.socket.send("nonsense")
        assert await tab.closed() == 1008


async def test_the_strange_in_a_tool_is_left_out_and_the_rest_kept(relay: RunningRelay) -> None:
    strange = {
        "name": "odd",
        "inputSchema": "no",
        "outputSchema": {"type": "array"},
        "annotations": {"title": 7},
    }
    async with browser(relay.port) as tab:
        await tab.hello(strange, {"description": "no name"}, tool("fine", title="Fine"))
        await eventually(lambda: relay.names() == ["odd", "fine"])
        odd, fine = (listed.definition for listed in relay.tools())
        assert odd == {"name": "odd", "inputSchema": {"type": "object", "properties": {}}, "annotations": {}}
        assert fine["title"] == "Fine"


@pytest.mark.parametrize(
    "result", [7, None, {"content": "text"}, {"content": [{"type": "text"}]}, {"isError": "yes"}]
)
async def test_a_result_of_the_wrong_shape_is_a_page_error(relay: RunningRelay, result: Any) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("odd"))
        await eventually(relay.names)
        async with anyio.create_task_group() as group:
            group.start_soon(_expect_error, relay, "odd", ("page_error", "yes"))
            await tab.answer(await tab.frame("invoke"), result)


async def test_calls_do_not_wait_for_one_another(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        async with anyio.create_task_group() as group:
            for number in range(32):
                group.start_soon(_expect_text, relay, number)
            await tab.frame("invoke", 32)
            for invoke in reversed(tab.all("invoke")):
                await tab.answer(invoke, text(str(invoke["args"]["number"])))


async def test_refresh_reloads_the_tab_with_that_url(relay: RunningRelay) -> None:
    async with browser(relay.port) as one, browser(relay.port) as two:
        await one.hello(tab="1", url=f"{SHOP}/a")
        await two.hello(tab="2", url=f"{SHOP}/b")
        await eventually(lambda: len(relay.sources()) == 2)
        relay.refresh(f"{SHOP}/b", lambda result: None)
        await two.frame("reload")
        assert not one.all("reload")


async def _expect_error(relay: RunningRelay, name: str, expected: tuple[str, str]) -> None:
    assert error_of(await relay.call(name)) == expected


async def _expect_text(relay: RunningRelay, number: int) -> None:
    assert await relay.call("echo", number=number) == text(str(number))
