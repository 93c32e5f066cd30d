"""What happens to sources and calls when a socket falls."""

from __future__ import annotations

import anyio
import pytest
from relay_support import (
    SHOP,
    Asked,
    FakeBrowser,
    RunningRelay,
    StartRelay,
    browser,
    error_of,
    eventually,
    text,
    tool,
)

pytestmark = pytest.mark.anyio
LONG_GRACE = {"sourceGrace": 8_000.0}


async def fallen(relay: RunningRelay, tab: FakeBrowser) -> None:
    await tab.vanish()
    await eventually(lambda: relay.sources()[0].state == "reconnecting")


async def test_tools_stay_listed_in_the_grace(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await fallen(relay, tab)
    assert relay.names() == ["echo"]


async def test_the_grace_has_an_end(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"sourceGrace": 100})
    async with browser(relay.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await fallen(relay, tab)
        asked = Asked(group, lambda: relay.call("echo"))
        assert error_of(await asked.ended()) == ("source_disconnected", "no")
    assert not relay.sources()


async def test_a_call_in_the_grace_goes_to_the_reconnect(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    async with browser(relay.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await fallen(relay, tab)
        asked = Asked(group, lambda: relay.call("echo"))
        async with browser(relay.port) as back:
            back.on_invoke = lambda frame: text("welcome back")
            await back.hello(tool("echo"))
            assert await asked.ended() == text("welcome back")
            assert len(back.all("invoke")) == 1


async def test_it_waits_for_a_list_that_has_the_tool(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    async with browser(relay.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await fallen(relay, tab)
        asked = Asked(group, lambda: relay.call("echo"))
        async with browser(relay.port) as back:
            back.on_invoke = lambda frame: text("now")
            await back.hello()
            await eventually(lambda: not relay.names())
            assert not back.all("invoke")
            await back.send({"type": "tools/changed", "tools": [tool("echo")]})
            assert await asked.ended() == text("now")


async def test_a_tab_that_comes_back_without_the_tool_ends_the_call(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"sourceGrace": 300})
    async with browser(relay.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await fallen(relay, tab)
        asked = Asked(group, lambda: relay.call("echo"))
        async with browser(relay.port) as back:
            await back.hello(tool("other"))
            assert error_of(await asked.ended()) == ("source_disconnected", "no")
            assert relay.names() == ["other"]


async def test_another_site_never_gets_a_call_meant_for_the_former(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    async with browser(relay.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await fallen(relay, tab)
        asked = Asked(group, lambda: relay.call("echo"))
        async with browser(relay.port) as back:
            await back.hello(tool("echo"), origin="http://other.test")
            assert error_of(await asked.ended()) == ("source_disconnected", "no")
            assert not back.all("invoke")


async def test_a_call_in_flight_ends_at_once_and_is_never_sent_again(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    async with browser(relay.port) as tab, anyio.create_task_group() as group:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        asked = Asked(group, lambda: relay.call("echo"))
        await tab.frame("invoke")
        await tab.vanish()
        assert error_of(await asked.ended()) == ("source_disconnected", "unknown")
        async with browser(relay.port) as back:
            back.on_invoke = lambda frame: text(str(frame["args"]["number"]))
            await back.hello(tool("echo"))
            assert await relay.call("echo", number=2) == text("2")
            assert [frame["args"] for frame in back.all("invoke")] == [{"number": 2}]


async def test_close_1000_leaves_no_grace(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await tab.socket.close(1000)
        await eventually(lambda: not relay.sources())
        assert error_of(await relay.call("echo")) == ("unknown_tool", "no")


async def test_close_1001_starts_one(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        await tab.socket.close(1001)
        await eventually(lambda: relay.sources()[0].state == "reconnecting")
        assert relay.names() == ["echo"]


async def test_it_reconnects_any_number_of_times(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=LONG_GRACE)
    for number in range(20):
        async with browser(relay.port) as tab:
            tab.on_invoke = lambda frame: text(str(frame["args"]["number"]))
            await tab.hello(tool("echo"))
            await tab.frame("hello/accepted")
            assert await relay.call("echo", number=number) == text(str(number))
            await tab.vanish()
    assert [source.origin for source in relay.sources()] == [SHOP]
