"""Ping and pong, at a tenth of their length."""

from __future__ import annotations

import anyio
import pytest
from relay_support import StartRelay, browser, eventually, tool

pytestmark = pytest.mark.anyio
TENTH = {"heartbeatPing": 1_500.0, "heartbeatDead": 2_500.0, "sourceGrace": 8_000.0}


async def test_a_browser_that_answers_stays(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=TENTH)
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"))
        began = anyio.current_time()
        await tab.frame("ping", 3)
        assert anyio.current_time() - began >= 3 * 1.5 - 0.1
        assert relay.sources()[0].state == "connected"


async def test_a_browser_that_is_silent_is_closed_with_1001(start_relay: StartRelay) -> None:
    relay = await start_relay(timings=TENTH)
    began = anyio.current_time()
    async with browser(relay.port) as tab:
        tab.answers_pings = False
        await tab.hello(tool("echo"))
        assert await tab.closed() == 1001
        assert anyio.current_time() - began >= 2.5 - 0.1
        assert len(tab.all("ping")) == 1
    await eventually(lambda: relay.sources()[0].state == "reconnecting")


async def test_a_socket_that_never_says_hello_is_closed_too(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"heartbeatPing": 100, "heartbeatDead": 200})
    async with browser(relay.port) as tab:
        tab.answers_pings = False
        assert await tab.closed() == 1001


async def test_a_joined_relay_gets_no_heartbeat(start_relay: StartRelay) -> None:
    relay = await start_relay(timings={"heartbeatPing": 50, "heartbeatDead": 100})
    async with (
        browser(relay.port, origin=None, protocols=("webmcp-relay.v1",)) as joined,
        browser(relay.port) as tab,
    ):
        await tab.frame("ping", 5)
        await joined.send({"type": "relay/list-tools"})
        await joined.frame("relay/tools")
        assert not joined.all("ping")
