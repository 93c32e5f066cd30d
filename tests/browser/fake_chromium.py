"""The other end of the debugging pipe, played by the test, and a websocket client in Playwright's place."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from webmcp_e2e.browser.gate import Gate
from webmcp_e2e.browser.targets import WorkerLives

OWN_IDS = 1_000_000_000
WAIT_S = 10
WORKER_URL = "chrome-extension://abcdefghijklmnopabcdefghijklmnop/worker.js"
EXTENSION_ID = "abcdefghijklmnopabcdefghijklmnop"
SESSION = "0123456789ABCDEF0123456789ABCDEF"


class FakeChromium:
    """Reads what the gate sends, answers its own commands unless told otherwise."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self.received: list[dict[str, Any]] = []
        self.silent_methods: set[str] = set()
        self.answers: dict[str, dict[str, Any]] = {}
        self.before_answer: Callable[[dict[str, Any]], None] = lambda command: None
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._arrived = asyncio.Event()
        self._rest = b""

    def listen(self) -> None:
        """Starts to read."""
        os.set_blocking(self._read_fd, False)
        asyncio.get_running_loop().add_reader(self._read_fd, self._readable)

    def say(self, message: dict[str, Any] | bytes) -> None:
        """Sends one message."""
        data = message if isinstance(message, bytes) else json.dumps(message, separators=(",", ":")).encode()
        os.write(self._write_fd, data + b"\0")

    def event(self, method: str, params: dict[str, Any], session_id: str = "") -> None:
        """Sends an event, with its keys in Chromium's order."""
        self.say({"method": method, "params": params, **({"sessionId": session_id} if session_id else {})})

    async def command(self, method: str, session_id: str | None = None) -> dict[str, Any]:
        """The first command of this method (on this session) that the gate has sent or will send."""
        return await self._wait(
            lambda: next(
                (
                    message
                    for message in self.received
                    if message["method"] == method and session_id in (None, message.get("sessionId", ""))
                ),
                None,
            )
        )

    def methods(self) -> list[str]:
        """The methods received, in order."""
        return [message["method"] for message in self.received]

    def close(self) -> None:
        """Chromium has gone."""
        asyncio.get_running_loop().remove_reader(self._read_fd)
        os.close(self._read_fd)
        os.close(self._write_fd)

    async def _wait(self, find: Callable[[], dict[str, Any] | None]) -> dict[str, Any]:
        async with asyncio.timeout(WAIT_S):
            while (found := find()) is None:
                self._arrived.clear()
                await self._arrived.wait()
        return found

    def _readable(self) -> None:
        try:
            self._rest += os.read(self._read_fd, 1 << 20)
        except (BlockingIOError, OSError):
            return
        *complete, self._rest = self._rest.split(b"\0")
        for part in complete:
            command = json.loads(part)
            self.received.append(command)
            self._answer_own(command)
        self._arrived.set()

    def _answer_own(self, command: dict[str, Any]) -> None:
        if command["id"] < OWN_IDS or command["method"] in self.silent_methods:
            return
        self.before_answer(command)
        self.say({"id": command["id"], "result": self.answers.get(command["method"], {})})


class Scene:
    """A gate between a played Chromium and a played Playwright."""

    def __init__(self, gate: Gate, chromium: FakeChromium) -> None:
        self.gate = gate
        self.chromium = chromium
        self.client: ClientConnection

    async def connect(self) -> None:
        """Playwright comes, and asks to be attached to everything."""
        self.client = await connect(self.gate.door.endpoint, max_size=None, compression=None, proxy=None)
        await self.ask("Target.setAutoAttach", 1)
        while json.loads(await self.heard_raw()).get("id") != 1:
            pass

    async def ask(self, method: str, number: int, session_id: str = "") -> None:
        """Playwright sends a command."""
        message: dict[str, Any] = {"id": number, "method": method, "params": {}}
        if session_id:
            message["sessionId"] = session_id
        await self.client.send(json.dumps(message, separators=(",", ":")))

    async def heard_raw(self) -> str:
        """The next message that Playwright gets, as it is."""
        async with asyncio.timeout(WAIT_S):
            return str(await self.client.recv())

    async def heard(self) -> dict[str, Any]:
        """The next message that Playwright gets."""
        message: dict[str, Any] = json.loads(await self.heard_raw())
        return message

    async def hears_nothing_before(self, marker: str) -> dict[str, Any]:
        """Sends a marker event after all that was said, and gives what Playwright gets next: the marker."""
        self.chromium.event(marker, {})
        return await self.heard()


@asynccontextmanager
async def scene(
    *,
    connected: bool = True,
    observe_workers: bool = False,
    hang_timeout: float = 60.0,
    on_pipe_end: Callable[[], None] = lambda: None,
) -> AsyncIterator[Scene]:
    """A gate with both its sides."""
    to_gate, to_chromium = os.pipe(), os.pipe()
    chromium = FakeChromium(to_chromium[0], to_gate[1])
    chromium.listen()
    gate = Gate(WorkerLives(), (), on_pipe_end, observe_workers=observe_workers, hang_timeout=hang_timeout)
    await gate.open(to_gate[0], to_chromium[1])
    acted = Scene(gate, chromium)
    if connected:
        await acted.connect()
    try:
        yield acted
    finally:
        gate.close()
        if connected:
            await acted.client.close()


def target(target_id: str, kind: str, url: str = "") -> dict[str, Any]:
    """A ``TargetInfo``."""
    return {
        "targetId": target_id,
        "type": kind,
        "title": "",
        "url": url,
        "attached": True,
        "browserContextId": "C",
    }


def attached(info: dict[str, Any], session_id: str = SESSION, waiting: bool = True) -> dict[str, Any]:
    """The parameters of ``Target.attachedToTarget``."""
    return {"sessionId": session_id, "targetInfo": info, "waitingForDebugger": waiting}
