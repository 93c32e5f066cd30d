"""Recordings made by hand, for tests that need no browser."""

from __future__ import annotations

from typing import Any

from webmcp_e2e.hops import Lane, Recorder, Recording

CLIENT = Lane("client", "client", "MCP client")
RELAY = Lane("relay", "relay", "relay")
WORKER = Lane("worker:x", "worker", "worker", "x")
BEGAN = 1_700_000_000_000.0


def ask(rpc: int, tool: str, args: dict[str, Any]) -> dict[str, Any]:
    params = {"name": tool, "arguments": args}
    return {"jsonrpc": "2.0", "id": rpc, "method": "tools/call", "params": params}


def answer(rpc: int, text: str, error: bool = False) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {
        "jsonrpc": "2.0",
        "id": rpc,
        "result": {"content": content, **({"isError": True} if error else {})},
    }


def invoke(call: str, tool: str, args: dict[str, Any]) -> dict[str, Any]:
    return {"type": "invoke", "callId": call, "toolName": tool, "args": args}


def result(call: str, text: str) -> dict[str, Any]:
    return {"type": "result", "callId": call, "result": {"content": [{"type": "text", "text": text}]}}


class Script:
    """Adds records one millisecond after the other."""

    def __init__(self) -> None:
        self.recorder = Recorder()
        self._at = BEGAN

    def add(self, lane: Lane, kind: str, data: Any = None, **more: Any) -> Script:
        self._at += 1
        fields = {"data": data} if data is not None else {}
        self.recorder.add(lane, kind, self._at, **fields, **more)
        return self

    def pause(self, milliseconds: float) -> Script:
        self._at += milliseconds
        return self

    def call(self, number: int, tool: str = "echo", args: dict[str, Any] | None = None) -> Script:
        """A call from the client to the worker and back; the client's name of the tool has a prefix."""
        given = args or {}
        self.add(CLIENT, "rpc.out", ask(number, f"tab1__{tool}", given))
        self.add(RELAY, "rpc.in", ask(number, f"tab1__{tool}", given))
        self.add(RELAY, "socket.out", invoke(f"c{number}", tool, given), socket=1)
        self.add(WORKER, "socket.in", invoke(f"c{number}", tool, given), socket=7)
        self.add(WORKER, "socket.out", result(f"c{number}", "done"), socket=7)
        self.add(RELAY, "socket.in", result(f"c{number}", "done"), socket=1)
        self.add(RELAY, "rpc.out", answer(number, "done"))
        return self.add(CLIENT, "rpc.in", answer(number, "done"))

    @property
    def recording(self) -> Recording:
        return self.recorder.recording()
