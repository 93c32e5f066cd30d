"""Who may connect is decided at the handshake: a page under test is not, unless it was allowed."""

from __future__ import annotations

import socket

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import Relay

pytestmark = [
    pytest.mark.requirement("chain.relay.origin"),
    pytest.mark.webmcp_runtime("native"),
]
KNOCK = """
({url, protocols}) => new Promise((done) => {
  const socket = new WebSocket(url, protocols);
  socket.onmessage = (event) => done("got " + event.data);
  socket.onclose = (event) => done("closed " + event.code);
})
"""


@pytest.mark.conformance("relay")
def test_a_page_that_knows_the_port_gets_nothing(
    relay: Relay, host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.url)
    for host_name in ("127.0.0.1", "localhost"):
        for protocol in ("webmcp.v1", "webmcp-discovery.v1", "webmcp-relay.v1"):
            knock = {"url": f"ws://{host_name}:{relay.port}/", "protocols": [protocol]}
            assert page.evaluate(KNOCK, knock) == "closed 1006"


def raw_answer(port: int, host: str, *headers: str) -> bytes:
    lines = [
        "GET / HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: webmcp.v1", *headers,
    ]  # fmt: skip
    with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        return raw.recv(65536)


EXTENSION = "Origin: chrome-extension://abcdefghijklmnopabcdefghijklmnop"


@pytest.mark.conformance("relay")
def test_a_name_that_was_rebound_to_us_is_refused(relay: Relay) -> None:
    """The Host of a DNS rebinding is the attacker's; even an extension's Origin does not help it."""
    answer = raw_answer(relay.port, f"evil.example:{relay.port}", EXTENSION)
    assert b" 403 " in answer.splitlines()[0]
    assert b"server-hello" not in answer


@pytest.mark.conformance("relay")
def test_the_right_host_and_an_extensions_origin_are_taken(relay: Relay) -> None:
    assert b" 101 " in raw_answer(relay.port, f"127.0.0.1:{relay.port}", EXTENSION).splitlines()[0]


def test_without_an_origin_nothing_but_a_relay_may_come_in(relay: Relay) -> None:
    assert b" 403 " in raw_answer(relay.port, f"127.0.0.1:{relay.port}").splitlines()[0]


class TestAllowed:
    @pytest.fixture
    def relay_flags(self, html_app: HtmlApp) -> list[str]:
        return ["--allow-origin", html_app.origin]

    def test_an_allowed_page_is_greeted_and_its_neighbour_is_not(
        self, relay: Relay, host: Extension, page: Page, html_app: HtmlApp
    ) -> None:
        knock = {"url": f"ws://127.0.0.1:{relay.port}/", "protocols": ["webmcp.v1"]}
        page.goto(html_app.url)
        assert "server-hello" in page.evaluate(KNOCK, knock)
        page.goto(html_app.cross_origin)
        assert page.evaluate(KNOCK, knock) == "closed 1006"
