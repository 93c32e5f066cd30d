"""A relay that does what a test says and nothing by itself: it sends no ping, gives up on nobody, keeps a record.

For what no well-behaved relay shows: how many sockets a browser opens and for whom, how it ends them, what it
does when it is rejected, left alone, or sent nonsense.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from webmcp_e2e.waiting import wait_until

_LOOPBACK = "127.0.0.1"
_SUBPROTOCOLS = [Subprotocol("webmcp.v1"), Subprotocol("webmcp-discovery.v1")]
_POLICY_VIOLATION = 1008

Frame = dict[str, Any]


class SourceConnection:
    """One websocket of a browser: everything it sent, in order, and how it ended."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self.frames: list[Frame] = []
        self.close_code: int | None = None
        self.opened_at = time.monotonic()
        """When the browser came, in seconds of the monotonic clock."""

    @property
    def is_open(self) -> bool:
        """Whether neither side has closed it."""
        return self.close_code is None

    @property
    def hello(self) -> Frame | None:
        """The last ``hello`` frame."""
        return next((frame for frame in reversed(self.frames) if frame["type"] == "hello"), None)

    @property
    def tab_id(self) -> str | None:
        """``hello.tabId``: a tab's id as text, or ``extension``."""
        return None if self.hello is None else str(self.hello["tabId"])

    @property
    def tools(self) -> list[str] | None:
        """Names of the last tool list; ``None`` before the first."""
        for frame in reversed(self.frames):
            if frame["type"] in ("tools/list", "tools/changed"):
                return [tool["name"] for tool in frame["tools"]]
        return None

    def send(self, frame: Mapping[str, Any] | str) -> None:
        """Send a frame, or any text as it is."""
        self._connection.send(frame if isinstance(frame, str) else json.dumps(frame))

    def invoke(self, tool: str, args: Mapping[str, Any] | None = None) -> str:
        """Send an ``invoke``; returns its ``callId``."""
        call_id = uuid.uuid4().hex
        self.send({"type": "invoke", "callId": call_id, "toolName": tool, "args": dict(args or {})})
        return call_id

    def result(self, call_id: str, timeout: float = 15.0) -> dict[str, Any]:
        """Wait for the ``result`` of a call, and return the MCP result in it."""
        frame = wait_until(
            lambda: self._result_frame(call_id), f"the result of call {call_id}", timeout=timeout
        )
        assert frame is not None
        result: dict[str, Any] = frame["result"]
        return result

    def call(self, tool: str, args: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Invoke and wait for the result."""
        return self.result(self.invoke(tool, args))

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Close from the relay's side."""
        self._connection.close(code, reason)

    def _result_frame(self, call_id: str) -> Frame | None:
        results = (frame for frame in self.frames if frame.get("callId") == call_id)
        return next(results, None)


class ScriptedRelay:
    """A websocket server that speaks as a relay; a context manager.

    Args:
        port: loopback port to listen on.
        hello: replaces members of the ``server-hello``; a member that is ``None`` is left out.
        accepts: whether it says ``hello/accepted`` (peers of the published relay never do).
        rejection: a reason; every source is then rejected and closed with 1008.
        silent: say no ``server-hello`` at all, as a foreign websocket server would.
    """

    def __init__(
        self,
        port: int,
        *,
        hello: Mapping[str, Any] | None = None,
        accepts: bool = True,
        rejection: str | None = None,
        silent: bool = False,
    ) -> None:
        self.port = port
        self.accepts = accepts
        self.rejection = rejection
        self.silent = silent
        self.connections: list[SourceConnection] = []
        self._hello = dict(hello or {})
        self._server: Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> ScriptedRelay:
        self._server = serve(
            self._serve, _LOOPBACK, self.port, subprotocols=_SUBPROTOCOLS, max_size=None, ping_interval=None
        )
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Close every socket with 1001 and the listener too; idempotent."""
        server, self._server = self._server, None
        if server is None or self._thread is None:
            return
        server.shutdown()
        for connection in self.connections:
            connection.close(1001)
        self._thread.join(5)

    def of(self, tab_id: int | str) -> list[SourceConnection]:
        """All connections, open or not, that said this ``tabId``."""
        return [one for one in self.connections if one.tab_id == str(tab_id)]

    def wait_for(self, tab_id: int | str, tool: str | None = None, timeout: float = 15.0) -> SourceConnection:
        """Wait for an open connection of this tab that has listed its tools (``tool`` among them)."""

        def ready() -> SourceConnection | None:
            usable = (one for one in self.of(tab_id) if one.is_open and one.tools is not None)
            return next((one for one in usable if tool is None or tool in (one.tools or ())), None)

        found = wait_until(
            ready, f"source {tab_id} is connected and lists {tool or 'its tools'}", timeout=timeout
        )
        assert found is not None
        return found

    def server_hello(self) -> Frame:
        """The first frame to everyone."""
        frame: Frame = {
            "type": "server-hello",
            "service": "webmcp-local-relay",
            "version": 1,
            "host": _LOOPBACK,
            "instanceId": f"scripted-{self.port}",
            "relayId": f"scripted-{self.port}",
            "port": self.port,
        }
        return {key: value for key, value in {**frame, **self._hello}.items() if value is not None}

    def _serve(self, connection: ServerConnection) -> None:
        source = SourceConnection(connection)
        self.connections.append(source)
        try:
            if not self.silent:
                source.send(self.server_hello())
            for message in connection:
                self._take(source, json.loads(message))
        except ConnectionClosed:
            pass  # the browser closed while a frame was on its way; the code is noted below
        finally:
            source.close_code = connection.close_code or 1006

    def _take(self, source: SourceConnection, frame: Frame) -> None:
        source.frames.append(frame)
        if frame["type"] != "hello":
            return
        if self.rejection is not None:
            source.send({"type": "hello/rejected", "reason": "policy", "message": self.rejection})
            source.close(_POLICY_VIOLATION, self.rejection)
        elif self.accepts:
            source.send({"type": "hello/accepted"})
