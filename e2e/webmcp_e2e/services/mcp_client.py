"""A real MCP client on a real stdio server process, as a synchronous object.

The official client runs in a thread of its own (anyio's blocking portal), entered and left in one task as
anyio demands. The server is any command that speaks MCP on stdio; ours is ``webmcp-relay``.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, ServerNotification, Tool

from webmcp_e2e.services.observed_transport import MessageListener, observed

_START_TIMEOUT_S = 15.0
_STOP_TIMEOUT_S = 10.0


class McpClientError(RuntimeError):
    """The MCP server process did not start, or ended; the message holds the end of its log."""


def child_environment() -> dict[str, str]:
    """What a server under test sees of ours."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}


def _pid_wrapper(pid_file: Path, command: Sequence[str]) -> StdioServerParameters:
    """The same process, its id written down first: ``exec`` keeps the id that the shell had."""
    script = 'echo $$ > "$0" && exec "$@"'
    args = ["-c", script, str(pid_file), *command]
    return StdioServerParameters(command="/bin/sh", args=args, env=child_environment())


def _fail_if_pending(ready: Future[None], served: Future[None]) -> None:
    """A server that ended before the handshake fails whoever waits for the handshake."""
    if ready.done():
        return
    error = None if served.cancelled() else served.exception()
    ready.set_exception(error or McpClientError("the MCP server ended before the handshake."))


class McpClient:
    """The official MCP client, connected over stdio to ``command``.

    Args:
        command: program and arguments of the server.
        folder: where its log (stderr) and pid file go; must exist.
        name: prefix of those files.
    """

    listener: MessageListener | None = None
    """Hears every message, if it is there before ``start``."""

    def __init__(self, command: Sequence[str], folder: Path, *, name: str = "relay") -> None:
        self.command = list(command)
        self.log_file = folder / f"{name}.log"
        self._pid_file = folder / f"{name}.pid"
        self._resources = ExitStack()
        self._client: Client | None = None
        self._served: Future[None] | None = None
        self._ready: Future[None] | None = None
        self._leave: anyio.Event | None = None
        self._arrived = threading.Condition()
        self.notifications: Counter[str] = Counter()
        """Server notifications seen, by method."""

    def start(self) -> None:
        """Start the process and shake hands.

        Raises:
            McpClientError: it ended or did not answer within 15 s.
        """
        self.begin()
        self.wait_ready()

    def begin(self) -> None:
        """Start the process and go on; the first use waits for the handshake."""
        self._pid_file.unlink(missing_ok=True)
        self._portal = self._resources.enter_context(start_blocking_portal())
        ready: Future[None] = Future()
        self._ready = ready
        self._served = self._portal.start_task_soon(self._serve, ready)
        self._served.add_done_callback(lambda served: _fail_if_pending(ready, served))

    def wait_ready(self) -> None:
        """Wait for the handshake; raises as ``start`` does."""
        if self._ready is None or self._served is None:
            raise McpClientError("the MCP client is not connected. Call start() first.")
        try:
            self._ready.result(_START_TIMEOUT_S)
        except Exception as error:
            self._served.cancel()
            self._served = None
            self._resources.close()
            raise McpClientError(
                f"the MCP server `{' '.join(self.command)}` did not answer: {error!r}. "
                f"Its log ({self.log_file}) ends:\n{self.log_tail()}"
            ) from error

    def _server(self) -> StdioServerParameters:
        """How the process is started, so that its id gets into the pid file."""
        return _pid_wrapper(self._pid_file, self.command)

    async def _serve(self, ready: Future[None]) -> None:
        self._leave = anyio.Event()
        with self.log_file.open("a", encoding="utf-8") as log:
            transport = stdio_client(self._server(), errlog=log)
            if self.listener is not None:
                transport = observed(transport, self.listener)
            # The handshake era is what MCP clients of today speak, and only there do notifications come unasked.
            async with Client(transport, message_handler=self._on_message, mode="legacy") as client:
                self._client = client
                ready.set_result(None)
                await self._leave.wait()

    async def _on_message(self, message: ServerNotification | Exception) -> None:
        if isinstance(message, Exception):
            return
        with self._arrived:
            self.notifications[message.method] += 1
            self._arrived.notify_all()

    @property
    def pid(self) -> int:
        """Process id of the server."""
        self.wait_ready()
        return int(self._pid_file.read_text())

    @property
    def client(self) -> Client:
        """The official client; use it on its own loop by ``run``."""
        self.wait_ready()
        assert self._client is not None
        return self._client

    def run(self, function: Callable[..., Any], *args: Any, timeout: float = 70.0) -> Any:
        """Run an async function on the client's loop and return its result; bounded by ``timeout`` seconds."""

        async def bounded() -> Any:
            with anyio.fail_after(timeout):
                return await function(*args)

        return self._portal.call(bounded)

    def start_soon(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Start an async function on the client's loop; its future can be cancelled."""
        return self._portal.start_task_soon(function, *args)

    def tools(self) -> dict[str, Tool]:
        """All tools by public name, every page of the listing."""

        async def collect() -> dict[str, Tool]:
            found: dict[str, Tool] = {}
            cursor: str | None = None
            while True:
                page = await self.client.list_tools(cursor=cursor, cache_mode="refresh")
                found.update({tool.name: tool for tool in page.tools})
                cursor = page.next_cursor
                if cursor is None:
                    return found

        return self.run(collect)  # type: ignore[no-any-return]

    def call(self, name: str, args: dict[str, Any] | None = None, *, timeout: float = 70.0) -> CallToolResult:
        """Call a tool; errors of the tool come as ``isError`` results."""
        return self.run(lambda: self.client.call_tool(name, args or {}), timeout=timeout)  # type: ignore[no-any-return]

    def call_soon(self, name: str, args: dict[str, Any] | None = None) -> Future[CallToolResult]:
        """Start a call and return its future; cancelling the future cancels the MCP request."""
        return self.start_soon(lambda: self.client.call_tool(name, args or {}))

    def wait_for_notification(self, method: str, count: int = 1, timeout: float = 10.0) -> bool:
        """Wait until ``count`` notifications of ``method`` have come; false when the time is over."""
        with self._arrived:
            return self._arrived.wait_for(lambda: self.notifications[method] >= count, timeout)

    def log_tail(self, lines: int = 40) -> str:
        """The last lines of the server's stderr."""
        if not self.log_file.exists():
            return "(no log)"
        return "\n".join(self.log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the server process without telling the client, as a crash does."""
        os.kill(self.pid, how)
        self.close()

    def close(self) -> None:
        """Disconnect, which ends the process; idempotent."""
        if self._served is not None and self._leave is None:
            self._served.cancel()
            self._served = None
        if self._served is not None and self._leave is not None:
            self._portal.call(self._leave.set)
            try:
                self._served.result(_STOP_TIMEOUT_S)
            except BaseException as error:
                self._served.cancel()
                self.close_error: BaseException | None = error
            self._served = None
            self._client = None
        self._resources.close()
