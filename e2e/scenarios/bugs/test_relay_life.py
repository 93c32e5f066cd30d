"""Reports about relays: ones that go away, move, stay as zombies, refuse a second client, or let strangers in."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
from pathlib import Path

import pytest

from webmcp_e2e.chain import Chain
from webmcp_e2e.hops import Hops
from webmcp_e2e.services.relay_process import Relay, default_command
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.webmcp_runtime("native")]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bare", "version": "1"},
    },
}  # fmt: skip
STRANGERS = ("https://evil.example", "http://127.0.0.1:8000", "null", "moz-extension://abc")


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    """Tries and alarms at a tenth and less."""
    return {
        "reconnectFirst": 50, "reconnectMax": 300, "alarmFirst": 1_000, "alarmSecond": 1_000, "alarmRest": 1_000,
    }  # fmt: skip


def is_back(chain: Chain, text: str) -> None:
    """The tools come back without a hand on the browser, and a call runs once.

    In less than a worker's 30 s: a fresh one looks for relays anyway, which is no merit of the one that lost its own.
    """
    before = len(chain.html_app.invocations)
    chain.wait_ready("echo", timeout=20)
    assert chain.call("echo", {"text": text})["content"][0]["text"] == text
    assert len(chain.html_app.invocations) == before + 1


@pytest.mark.bug("B04")
@pytest.mark.requirement("chain.relay.reconnect")
def test_a_killed_relay_that_starts_again_has_the_tools(chain: Chain) -> None:
    chain.relay.restart()
    is_back(chain, "same port")


@pytest.mark.bug("B05")
@pytest.mark.requirement("chain.relay.ports")
def test_a_relay_on_another_port_takes_the_place_of_one_that_died(chain: Chain, tmp_path: Path) -> None:
    """The endpoint of the last session must not be all that is left to try, nor be forgotten."""
    last = chain.relay.ports[-1]
    moved = Relay(range(last, last + 1), tmp_path, name="moved")
    moved.start()
    try:
        chain.relay.kill()
        wait_until(lambda: "echo" in moved.page_tools(), "the tools are at the other port", timeout=40)
        assert moved.call("echo", {"text": "moved"}).content[0].text == "moved"
        chain.relay.start()
    finally:
        moved.close()
    is_back(chain, "moved back")
    assert [one.args["text"] for one in chain.html_app.invocations] == ["moved", "moved back"]


@pytest.mark.bug("B19")
@pytest.mark.requirement("chain.relay.two")
def test_a_second_client_shares_the_relay_and_orphans_nobody(
    chain: Chain, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    command = shlex.split(pytestconfig.getoption("--webmcp-relay") or shlex.join(default_command()))
    clients = [
        Relay(chain.relay.ports, tmp_path, command=command, name=f"client-{number}") for number in range(2)
    ]
    try:
        for client in clients:
            client.start()
            wait_until(lambda client=client: "echo" in client.page_tools(), "the newcomer lists the tools")
        for number, client in enumerate([chain.relay, *clients]):
            assert client.call("echo", {"text": str(number)}).content[0].text == str(number)
    finally:
        for client in clients:
            client.close()
    assert chain.call("echo", {"text": "still"})["content"][0]["text"] == "still"
    assert [one.args["text"] for one in chain.html_app.invocations] == ["0", "1", "2", "still"]


@pytest.mark.bug("B20")
@pytest.mark.requirement("chain.relay.exit")
def test_a_relay_whose_client_is_gone_ends_and_frees_its_port(
    relay_ports: range, pytestconfig: pytest.Config, hops: Hops
) -> None:
    """The client closes its pipe and does nothing else: the official one would end the process itself."""
    command = shlex.split(pytestconfig.getoption("--webmcp-relay") or shlex.join(default_command()))
    port, pipe = relay_ports[0], subprocess.PIPE
    command += ["--port", str(port), *hops.tape()]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{json.dumps(INITIALIZE)}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdin.close()
        try:
            assert process.wait(30) == 0
        finally:
            process.kill()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))


def greeting(port: int, origin: str, host: str) -> bytes:
    """What a websocket handshake with this Origin and Host gets, to the end of the first packet."""
    lines = [
        "GET / HTTP/1.1", f"Host: {host}", f"Origin: {origin}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: webmcp.v1",
    ]  # fmt: skip
    with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        return raw.recv(65536)


@pytest.mark.bug("B21")
@pytest.mark.requirement("chain.relay.origin")
def test_a_foreign_origin_or_a_rebound_name_gets_no_data(relay: Relay) -> None:
    extension, port = "chrome-extension://abcdefghijklmnopabcdefghijklmnop", relay.port
    for origin in STRANGERS:
        refused = greeting(port, origin, f"127.0.0.1:{port}")
        assert b" 403 " in refused.splitlines()[0]
        assert b"server-hello" not in refused
    rebound = greeting(port, extension, f"rebound.example:{port}")
    assert b" 403 " in rebound.splitlines()[0]
    assert b"server-hello" not in rebound
    assert b" 101 " in greeting(port, extension, f"127.0.0.1:{port}").splitlines()[0]
