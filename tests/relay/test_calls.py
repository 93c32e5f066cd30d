"""Deadlines, cancellation and sizes of calls."""

from __future__ import annotations

import anyio
import pytest
from relay_support import Asked, RunningRelay, StartRelay, browser, error_of, eventually, text, tool

pytestmark = pytest.mark.anyio


async def test_a_deadline_ends_the_call_and_tells_the_page(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"relayDeadline": 200})
    async with browser(relay.port) as tab:
        await tab.hello(tool("slow"))
        await eventually(relay.names)
        began = anyio.current_time()
        assert error_of(await relay.call("slow")) == ("timeout", "unknown")
        assert anyio.current_time() - began >= 0.19
        cancel = await tab.frame("cancel")
        assert cancel["callId"] == tab.all("invoke")[0]["callId"]


async def test_a_deadline_in_the_grace_says_that_nothing_ran(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"relayDeadline": 200, "sourceGrace": 8_000})
    async with browser(relay.port) as tab:
        await tab.hello(tool("slow"))
        await eventually(relay.names)
        await tab.vanish()
        await eventually(lambda: relay.sources()[0].state == "reconnecting")
        assert error_of(await relay.call("slow")) == ("timeout", "no")


async def test_cancelling_the_caller_tells_the_page(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("slow"), tool("echo"))
        await eventually(relay.names)
        async with anyio.create_task_group() as group:
            group.start_soon(relay.call, "slow")
            invoke = await tab.frame("invoke")
            group.cancel_scope.cancel()
        assert (await tab.frame("cancel"))["callId"] == invoke["callId"]


async def test_a_late_result_is_dropped(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"relayDeadline": 200})
    async with browser(relay.port) as tab:
        await tab.hello(tool("slow"), tool("echo"))
        await eventually(relay.names)
        await relay.call("slow")
        await tab.answer(tab.all("invoke")[0], text("too late"))
        tab.on_invoke = lambda frame: text("in time")
        assert await relay.call("echo") == text("in time")


async def test_too_large_arguments_never_leave(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        tab.on_invoke = lambda frame: text(str(len(frame["args"]["text"])))
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        around = len('{"text":""}')
        assert await relay.call("echo", text="x" * (1_000_000 - around)) == text(str(1_000_000 - around))
        assert error_of(await relay.call("echo", text="x" * (1_000_001 - around))) == ("too_large", "no")
        assert len(tab.all("invoke")) == 1


async def test_sizes_are_bytes_not_characters(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        await eventually(relay.names)
        assert error_of(await relay.call("echo", text="ß" * 600_000)) == ("too_large", "no")


async def test_a_result_of_eight_megabytes_passes_and_other_calls_go_on(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        tab.on_invoke = lambda frame: text("x" * frame["args"]["bytes"])
        await tab.hello(tool("big"))
        await eventually(relay.names)
        async with anyio.create_task_group() as group:
            big = Asked(group, lambda: relay.call("big", bytes=8_000_000))
            small = Asked(group, lambda: relay.call("big", bytes=3))
            assert await small.ended() == text("xxx")
            assert await big.ended() == text("x" * 8_000_000)


async def test_a_frame_over_ten_megabytes_closes_that_socket_only(relay: RunningRelay) -> None:
    async with browser(relay.port) as rude, browser(relay.port) as tab:
        tab.on_invoke = lambda frame: text("still here")
        await rude.hello(tool("big"), tab="1")
        await tab.hello(tool("echo"), tab="2")
        await eventually(lambda: len(relay.names()) == 2)
        await rude.socket.send("x" * 10_000_001)
        assert await rude.closed() == 1009
        assert await relay.call("echo") == text("still here")


async def test_a_reader_that_never_reads_is_dropped(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"sourceGrace": 8_000})
    async with browser(relay.port) as tab, browser(relay.port) as other:
        other.on_invoke = lambda frame: text("served")
        await tab.hello(tool("slow"), tab="1")
        await other.hello(tool("echo"), tab="2")
        await eventually(lambda: len(relay.names()) == 2)
        tab.socket.transport.pause_reading()
        async with anyio.create_task_group() as group:
            asked = [Asked(group, lambda: relay.call("slow", text="x" * 990_000)) for _ in range(40)]
            for one in asked:
                assert error_of(await one.ended())[0] == "source_disconnected"
        assert await relay.call("echo") == text("served")
