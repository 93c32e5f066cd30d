"""Host and Origin are judged at the handshake, before any data."""

from __future__ import annotations

import asyncio

import pytest
from relay_support import EXTENSION, RunningRelay, StartRelay, browser, eventually, tool
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

pytestmark = pytest.mark.anyio
EVIL = "https://evil.example"
APP = "https://app.example.com"


async def refused(port: int, protocol: str = "webmcp.v1", **headers: str) -> int:
    with pytest.raises(InvalidStatus) as caught:
        async with connect(f"ws://127.0.0.1:{port}/", additional_headers=headers, subprotocols=[protocol]):
            pass
    return caught.value.response.status_code


@pytest.mark.parametrize("origin", [EVIL, "null", "http://127.0.0.1:9333", "chrome-extension.evil.example"])
async def test_a_page_that_connects_by_itself_is_refused(relay: RunningRelay, origin: str) -> None:
    assert await refused(relay.port, Origin=origin) == 403


async def test_without_an_origin_only_a_relay_may_join(relay: RunningRelay) -> None:
    assert await refused(relay.port) == 403
    async with browser(relay.port, origin=None, protocols=("webmcp-relay.v1",)) as joined:
        assert joined.socket.subprotocol == "webmcp-relay.v1"


async def test_a_browser_never_gets_the_relays_protocol(relay: RunningRelay) -> None:
    assert await refused(relay.port, "webmcp-relay.v1", Origin=EXTENSION) == 400


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", ""])
async def test_a_foreign_host_is_refused(relay: RunningRelay, host: str) -> None:
    asked = await raw_status(relay.port, host.format(port=relay.port))
    assert asked == 403


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}"])
async def test_loopback_names_with_our_port_are_taken(relay: RunningRelay, host: str) -> None:
    assert await raw_status(relay.port, host.format(port=relay.port)) == 101


async def test_plain_http_learns_that_a_relay_is_here_and_nothing_else(relay: RunningRelay) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{relay.port}\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    assert b" 426 " in answer.splitlines()[0]
    assert b"server-hello" not in answer


async def raw_status(port: int, host: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [
        "GET / HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: webmcp.v1", f"Origin: {EXTENSION}",
    ]  # fmt: skip
    writer.write("\r\n".join([*lines, "", ""]).encode())
    status = int((await asyncio.wait_for(reader.readline(), 10)).split()[1])
    writer.close()
    return status


async def test_an_allowed_origin_may_speak_for_itself_only(start_relay: StartRelay) -> None:
    relay = await start_relay(allow_origins=[APP])
    async with browser(relay.port, origin=APP) as page:
        await page.hello(tool("mine"), origin=APP)
        await eventually(relay.names)
    async with browser(relay.port, origin=APP) as page:
        await page.hello(tool("forged"), tab="8", origin=EVIL)
        rejected = await page.frame("hello/rejected")
        assert rejected["reason"] == "origin_not_allowed"
        assert "--allow-origin" in rejected["message"]
        assert await page.closed() == 1008
    assert "forged" not in relay.names()


async def test_a_page_must_say_its_origin(start_relay: StartRelay) -> None:
    relay = await start_relay(allow_origins=[APP])
    async with browser(relay.port, origin=APP) as page:
        await page.hello(tool("nameless"), origin=None)
        await page.frame("hello/rejected")
        assert await page.closed() == 1008


async def test_an_extension_speaks_for_any_page(relay: RunningRelay) -> None:
    async with browser(relay.port) as tab:
        await tab.hello(tool("echo"), origin=EVIL)
        await tab.frame("hello/accepted")


async def test_a_pattern_allows_subdomains_and_nothing_else(start_relay: StartRelay) -> None:
    relay = await start_relay(allow_origins=["https://*.example.com"])
    async with browser(relay.port, origin="https://a.example.com"):
        pass
    assert await refused(relay.port, Origin="https://a.example.com.evil.org") == 403
