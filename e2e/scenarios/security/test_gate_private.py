"""Nobody but the harness's own Playwright gets to the gate: whoever has it owns the browser."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright
from process_tree import listening_sockets, members
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from webmcp_e2e.browser import ChromiumBinary, ExtensionBrowser
from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("harness.gate-private"), pytest.mark.webmcp_runtime("native")]

TIMEOUT_S = 10
Attempt = Callable[[str], None]


class Intruder:
    """Stands in for Playwright at launch: tries the door while it is open, then lets Playwright through."""

    def __init__(self, playwright: Playwright, attempt: Attempt) -> None:
        self.chromium = self
        self.endpoint = ""
        self._playwright = playwright
        self._attempt = attempt

    def connect_over_cdp(self, endpoint: str, **options: Any) -> Browser:
        """What the harness calls with the gate's address."""
        self.endpoint = endpoint
        self._attempt(endpoint)
        return self._playwright.chromium.connect_over_cdp(endpoint, **options)


@pytest.fixture
def launch_with(
    playwright: Playwright, chromium_binary: ChromiumBinary, request: pytest.FixtureRequest
) -> Any:
    """Launches a browser whose gate is attempted by an intruder before Playwright comes."""

    def launch(attempt: Attempt) -> tuple[ExtensionBrowser, str]:
        intruder = Intruder(playwright, attempt)
        browser = ExtensionBrowser.launch(intruder, binary=chromium_binary)  # type: ignore[arg-type]
        request.addfinalizer(browser.close)
        assert browser.context.pages[0].evaluate("1 + 1") == 2, "Playwright came in after the intruder"
        return browser, intruder.endpoint

    return launch


def refused(endpoint: str, status: int = 403, **options: Any) -> None:
    """A handshake is refused before anything is said."""
    with pytest.raises(InvalidStatus) as refusal:
        connect(endpoint, open_timeout=TIMEOUT_S, proxy=None, **options)
    assert refusal.value.response.status_code == status


def address_of(endpoint: str) -> tuple[str, int]:
    """Host and port of the gate."""
    parts = urlsplit(endpoint)
    assert parts.hostname
    assert parts.port
    return parts.hostname, parts.port


def test_a_handshake_with_an_origin_is_refused(launch_with: Any) -> None:
    origins = ["http://127.0.0.1:8000", "chrome-extension://" + "a" * 32, "null"]
    launch_with(lambda endpoint: [refused(endpoint, origin=origin) for origin in origins])


def test_a_handshake_for_another_host_is_refused(launch_with: Any) -> None:
    def attempt(endpoint: str) -> None:
        host, port = address_of(endpoint)
        for name in (f"rebound.example:{port}", "rebound.example", f"localhost:{port}", host):
            refused_with_host(endpoint, name)

    launch_with(attempt)


def refused_with_host(endpoint: str, name: str) -> None:
    """As a page whose DNS name was rebound to loopback would come: no Origin here, the Host alone is wrong."""
    with socket.create_connection(address_of(endpoint), TIMEOUT_S) as raw:
        raw.sendall(handshake(urlsplit(endpoint).path, name))
        assert raw.recv(4096).startswith(b"HTTP/1.1 403")


def handshake(path: str, host: str) -> bytes:
    """A websocket handshake, right except for what is asked."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "", ""]
    return "\r\n".join(lines).encode()


def test_another_path_is_refused_and_the_right_one_cannot_be_guessed(launch_with: Any) -> None:
    paths: set[str] = set()

    def attempt(endpoint: str) -> None:
        base, path = endpoint.rsplit("/", 1)
        paths.add(path)
        for wrong in ("", "devtools/browser", path[:-1], path[:-1] + "g", "json/version"):
            refused(f"{base}/{wrong}")

    launch_with(attempt)
    launch_with(attempt)
    assert len(paths) == 2
    assert all(len(path) == 32 for path in paths), "128 bits"


def test_a_page_that_knows_the_whole_address_is_refused(
    launch_with: Any, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page("plain.html"))
    script = """(endpoint) => new Promise((done) => {
      const socket = new WebSocket(endpoint);
      socket.onopen = () => done("open");
      socket.onerror = () => done("refused");
    })"""
    seen: list[str] = []

    browser, endpoint = launch_with(lambda endpoint: seen.append(page.evaluate(script, endpoint)))

    own = browser.context.pages[0]
    own.goto(html_app.page("plain.html"))
    seen.append(own.evaluate(script, endpoint))
    assert seen == ["refused", "refused"]


def test_the_listener_is_closed_once_playwright_is_in(launch_with: Any) -> None:
    def try_second_client(endpoint: str) -> None:
        with pytest.raises(ConnectionRefusedError):
            connect(endpoint, open_timeout=TIMEOUT_S, proxy=None)

    _, endpoint = launch_with(lambda endpoint: None)

    try_second_client(endpoint)


def test_a_connection_that_was_open_before_is_dropped(launch_with: Any) -> None:
    waiting: list[socket.socket] = []

    _, endpoint = launch_with(
        lambda endpoint: waiting.append(socket.create_connection(address_of(endpoint), TIMEOUT_S))
    )

    with waiting[0] as raw:
        assert is_dropped(raw, handshake(urlsplit(endpoint).path, urlsplit(endpoint).netloc))


def is_dropped(raw: socket.socket, request: bytes) -> bool:
    """Whether the connection ends without an answer."""
    try:
        raw.sendall(request)
        return raw.recv(4096) == b""
    except (ConnectionResetError, BrokenPipeError):
        return True


def test_chromium_itself_listens_nowhere(extension_browser: ExtensionBrowser, page: Page) -> None:
    page.goto("about:blank")
    processes = members(extension_browser.pid)

    assert len(processes) > 3, "the whole process tree is looked at"
    assert listening_sockets(processes) == set()


def test_the_check_sees_a_listening_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        own = listening_sockets([os.getpid()])
        assert f"0100007F:{port:04X}" in own
