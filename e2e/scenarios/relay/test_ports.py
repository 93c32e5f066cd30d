"""Which port a relay takes, and how the browser finds it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page
from relay_kit import StartClient

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.mcp_client import McpClient, McpClientError
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.ports"),
    pytest.mark.webmcp_runtime("native"),
]


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    """A silent listener costs the probe's whole time, so it is short here."""
    return {"probe": 300, "alarmFirst": 1_000, "alarmSecond": 1_000, "alarmRest": 1_000}


@pytest.fixture
def relay_settings(relay_ports: range) -> dict[str, Any]:
    return {"enabled": True, "host": "127.0.0.1", "ports": [relay_ports[0], relay_ports[-1]]}


@contextmanager
def foreign_listener(port: int) -> Iterator[None]:
    """Something that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", port)):
        yield


@pytest.fixture
def range_relay(start_client: StartClient, relay_ports: range) -> Iterator[McpClient]:
    """A relay that found its range's first port taken; up before the browser looks."""
    with foreign_listener(relay_ports[0]):
        span = f"{relay_ports[0]}-{relay_ports[-1]}"
        yield start_client("--ports", span, "--timing", "probe=300", name="range")


def test_a_range_is_searched_past_a_foreign_listener_from_both_sides(
    range_relay: McpClient, relay_ports: range, host: Extension, page: Page, html_app: HtmlApp
) -> None:
    page.goto(html_app.page(lab=""))

    wait_until(lambda: "echo" in range_relay.tools(), "the browser found the relay", timeout=30)
    assert range_relay.call("echo", {"text": "found"}).content[0].text == "found"
    with socket.create_connection(("127.0.0.1", relay_ports[1])):
        pass


def test_an_exact_port_that_something_else_holds_is_an_error(
    start_client: StartClient, relay_ports: range
) -> None:
    with foreign_listener(relay_ports[0]), pytest.raises(McpClientError, match="--ports A-B"):
        start_client("--port", str(relay_ports[0]), "--timing", "probe=300", name="exact")


def test_a_relay_that_comes_back_on_another_port_is_found(chain: Chain, relay_ports: range) -> None:
    generation = chain.host.worker.generation

    chain.relay.restart(port=relay_ports[2])

    chain.wait_ready("echo", timeout=40)
    assert chain.call("echo", {"text": "moved"})["content"][0]["text"] == "moved"
    assert chain.host.worker.generation == generation, "nobody touched the browser"


def test_the_port_of_the_persons_own_relay_is_never_touched(relay_ports: range, relay: McpClient) -> None:
    assert not set(relay_ports) & set(range(9333, 9349))
    assert str(relay_ports[0]) in relay.command
