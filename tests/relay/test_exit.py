"""The process: exits with its client, frees its port, refuses what it cannot serve."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from relay_support import RELAY, WAIT_S, browser, eventually, free_ports, text, tool

pytestmark = pytest.mark.anyio
INITIALIZE = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"},
    },
}  # fmt: skip


class RawClient:
    """JSON-RPC lines to a relay process, for what no SDK would send."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def ask(self, message: Any) -> dict[str, Any]:
        """Send one message and read one line."""
        self.send(message)
        return await self.line()

    def send(self, message: Any) -> None:
        """Send one message; bytes go as they are."""
        assert self.process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")

    async def line(self) -> dict[str, Any]:
        """The next line of output."""
        assert self.process.stdout is not None
        with anyio.fail_after(WAIT_S):
            answer: dict[str, Any] = json.loads(await self.process.stdout.readline())
        return answer

    async def exit_code(self) -> int:
        """The exit code, waited for."""
        with anyio.fail_after(WAIT_S):
            return await self.process.wait()


@asynccontextmanager
async def raw(*args: str, initialize: bool = True) -> AsyncIterator[RawClient]:
    """A relay process that has answered ``initialize``."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*RELAY, *args, stdin=pipe, stdout=pipe)
    client = RawClient(process)
    try:
        if initialize:
            await client.ask(INITIALIZE)
            client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        yield client
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def call(request_id: Any, name: str, **args: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": args}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


@pytest.mark.parametrize("how", ["stdin", signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_it_ends_with_its_client_and_frees_the_port(how: str | signal.Signals) -> None:
    (port,) = free_ports()
    async with raw("--port", str(port)) as client, browser(port) as tab:
        await tab.hello(tool("echo"))
        if isinstance(how, signal.Signals):
            client.process.send_signal(how)
        else:
            assert client.process.stdin is not None
            client.process.stdin.close()
        assert await client.exit_code() == 0
        assert await tab.closed() == 1001
    async with raw("--port", str(port)):
        pass


async def test_calls_in_flight_are_cancelled_when_the_client_goes() -> None:
    (port,) = free_ports()
    async with raw("--port", str(port)) as client, browser(port) as tab:
        await tab.hello(tool("slow"))
        assert (await client.line())["method"] == "notifications/tools/list_changed"
        client.send(call(1, "slow"))
        invoke = await tab.frame("invoke")
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert (await tab.frame("cancel"))["callId"] == invoke["callId"]
        assert await client.exit_code() == 0


async def test_it_ends_when_its_parent_dies_though_stdin_stays_open(tmp_path: Path) -> None:
    (port,) = free_ports()
    script = (
        "import subprocess, sys, time\n"
        f"relay = subprocess.Popen({[*RELAY, '--port', str(port)]!r}, stdin=subprocess.PIPE)\n"
        "print(relay.pid, flush=True)\n"
        "sleeper = subprocess.Popen(['sleep', '60'], pass_fds=[relay.stdin.fileno()])\n"
        "print(sleeper.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    relay_pid, sleeper_pid = int(parent.stdout.readline()), int(parent.stdout.readline())
    try:
        await eventually(lambda: not _is_free(port), "the relay's port")
        parent.kill()
        parent.wait()
        await eventually(lambda: _is_free(port), "the freed port")
    finally:
        for pid in (sleeper_pid, relay_pid):
            if _alive(pid):
                os.kill(pid, signal.SIGKILL)


def _is_free(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_port_held_by_something_else_is_exit_3_with_a_sentence() -> None:
    (port,) = free_ports()
    async with await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", port):
        command = [*RELAY, "--port", str(port), "--timing", "probe=200"]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        with anyio.fail_after(WAIT_S):
            _, errors = await process.communicate()
    assert process.returncode == 3
    assert b"--ports" in errors


async def test_a_foreign_listener_in_the_range_is_passed_over() -> None:
    ports = free_ports(3)
    span = f"{ports[0]}-{ports[-1]}"
    async with (
        await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", ports[0]),
        raw("--ports", span, "--timing", "probe=200"),
        browser(ports[1]) as tab,
    ):
        assert tab.frames[0]["port"] == ports[1]


@pytest.mark.parametrize(
    "args",
    [["--port", "0"], ["--port", "9333-9348"], ["--ports", "9-8"], ["--timing", "nonsense=1"], ["--nonsense"],
     ["--timing", "probe=-1"], ["--invoke-timeout", "soon"], ["--host", "0.0.0.0"]],
)  # fmt: skip
def test_wrong_usage_is_exit_2(args: list[str]) -> None:
    done = subprocess.run([*RELAY, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert args[0] in done.stderr


def test_help_teaches() -> None:
    done = subprocess.run([*RELAY, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    for word in ("mcpServers", "--allow-origin", "--widget-origin", "heartbeatPing=15000", "Exit codes"):
        assert word in done.stdout


async def test_what_no_sdk_would_send_is_refused_and_the_session_goes_on() -> None:
    (port,) = free_ports()
    async with raw("--port", str(port)) as client, browser(port) as tab:
        await tab.hello(tool("slow"), tool("echo"))
        assert (await client.line())["method"] == "notifications/tools/list_changed"
        nameless = {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"arguments": {}}}
        assert (await client.ask(nameless))["error"]["code"] == -32602
        unknown = {"jsonrpc": "2.0", "id": "b", "method": "no/such/method"}
        assert (await client.ask(unknown))["error"]["code"] == -32601
        client.send(b"no json")
        client.send(b"")
        client.send(call(7, "slow"))
        await tab.frame("invoke")
        assert (await client.ask(call(7, "slow")))["error"]["code"] == -32600
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
        await tab.frame("cancel")
        tab.on_invoke = lambda frame: text("fine")
        assert await client.ask(call("x", "echo")) == {"jsonrpc": "2.0", "id": "x", "result": text("fine")}


async def test_a_call_before_initialize_is_refused() -> None:
    (port,) = free_ports()
    async with raw("--port", str(port), initialize=False) as client:
        assert "error" in await client.ask(call(1, "echo"))


async def test_lines_may_come_in_pieces_and_together() -> None:
    (port,) = free_ports()
    async with raw("--port", str(port)) as client, browser(port) as tab:
        tab.on_invoke = lambda frame: text(str(frame["args"]["n"]))
        await tab.hello(tool("echo"))
        await client.line()
        stdin = client.process.stdin
        assert stdin is not None
        whole = b"".join(json.dumps(call(n, "echo", n=n)).encode() + b"\r\n" for n in range(3))
        stdin.write(whole[:50])
        await stdin.drain()
        stdin.write(whole[50:])
        answers = [await client.line() for _ in range(3)]
        assert sorted(answer["id"] for answer in answers) == [0, 1, 2]


async def test_nothing_but_mcp_is_on_stdout() -> None:
    (port,) = free_ports()
    async with raw("--port", str(port), "--log-level", "debug") as client, browser(port) as tab:
        await tab.socket.send("nonsense")
        await tab.hello(tool("echo"))
        assert (await client.line())["jsonrpc"] == "2.0"
