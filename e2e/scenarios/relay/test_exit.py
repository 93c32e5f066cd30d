"""No zombie: a relay ends with its client, frees its port, and the browser finds the next one."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from webmcp_e2e.browser import Extension
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.relay_process import default_command
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.requirement("chain.relay.exit"), pytest.mark.webmcp_runtime("native")]
EXIT_S = 30
"""Bound of the wait, not what is promised: 5 s on a quiet machine."""


class BareClient:
    """A client that only closes or dies: the official one would end the process itself and hide a zombie."""

    def __init__(self, port: int) -> None:
        command = [*default_command(), "--port", str(port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ids = iter(range(1, 1_000_000))
        info = {"name": "bare", "version": "1"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=info)
        self._write({"method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and read its answer."""
        request_id = self.send(method, **params)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == request_id:
                return message["result"]  # type: ignore[no-any-return]
        raise AssertionError("the relay ended before it answered")

    def send(self, method: str, **params: Any) -> int:
        """Send a request; its id."""
        request_id = next(self._ids)
        self._write({"id": request_id, "method": method, "params": params})
        return request_id

    def lists(self, name: str) -> bool:
        """Whether the tool is listed."""
        return any(tool["name"] == name for tool in self.ask("tools/list")["tools"])

    def hang_up(self) -> None:
        """Close stdin, as a client does that ends."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def close(self) -> None:
        """Leave nothing behind."""
        self.process.kill()
        self.process.wait(EXIT_S)

    def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    return {"alarmFirst": 1_000, "alarmSecond": 1_000, "alarmRest": 1_000}


@pytest.fixture
def relay_settings(relay_ports: range) -> dict[str, Any]:
    return {"enabled": True, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}


@pytest.fixture
def client(relay_ports: range, request: pytest.FixtureRequest, html_app: HtmlApp) -> Iterator[BareClient]:
    """A relay, up before the browser looks, and a page on it."""
    client = BareClient(relay_ports[0])
    page: Page = request.getfixturevalue("page")
    page.goto(html_app.page(lab=""))
    wait_until(lambda: client.lists("echo"), "the page's tools are listed", timeout=40)
    yield client
    client.close()


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_it_ends_with_its_client_in_the_middle_of_a_call(
    client: BareClient, host: Extension, relay_ports: range, html_app: HtmlApp
) -> None:
    client.send("tools/call", name="slow", arguments={"ms": 30_000})
    html_app.wait_for_invocations(1)

    client.hang_up()

    assert client.process.wait(EXIT_S) == 0
    assert is_free(relay_ports[0])
    html_app.wait_for_outcome(1, "aborted", timeout=15)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP], ids=lambda how: how.name)
def test_a_signal_ends_it_and_the_next_relay_gets_port_and_browser(
    client: BareClient, host: Extension, relay_ports: range, how: signal.Signals
) -> None:
    os.kill(client.process.pid, how)

    assert client.process.wait(EXIT_S) == 0
    assert is_free(relay_ports[0])
    successor = BareClient(relay_ports[0])
    try:
        wait_until(lambda: successor.lists("echo"), "the browser came to the next relay", timeout=40)
    finally:
        successor.close()
