"""A host in a test's hand: it probes, connects and speaks JSON-RPC as the test says, right or wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webmcp_e2e.lumo.models import MCP_REVISION, PORT_NAME, PROBE_CHANNEL, PROBE_VERSION
from webmcp_e2e.lumo.peer_folder import LoadedExtension, PeerWorker, write_peer

Message = dict[str, Any]
Call = tuple[str, Mapping[str, Any]]
"""A tool's name and its arguments."""


def write_host(folder: Path, name: str = "Scripted host", manifest: Mapping[str, Any] | None = None) -> Path:
    """Write the extension into ``folder``; ``manifest`` replaces or adds members."""
    return write_peer(folder, ["host.js"], name=name, manifest=manifest)


def initialize_params() -> Message:
    """Parameters of ``initialize``."""
    client = {"name": "scripted host", "version": "1"}
    return {"protocolVersion": MCP_REVISION, "capabilities": {}, "clientInfo": client}


class ScriptedHost:
    """The loaded extension. ``provider_id`` is whom it talks to, and may be set anew at any time."""

    def __init__(self, extension: LoadedExtension, provider_id: str = "") -> None:
        self.extension = extension
        self.provider_id = provider_id

    @property
    def id(self) -> str:
        """Its real extension id."""
        return self.extension.id

    @property
    def worker(self) -> PeerWorker:
        """Its service worker."""
        return self.extension.worker

    # ---- L0

    def request(self, **members: object) -> Message:
        """A right probe of this host; ``members`` replace or add to it."""
        client = {"id": self.id, "name": "Scripted host", "version": "1"}
        right = {"channel": PROBE_CHANNEL, "version": PROBE_VERSION, "id": "probe-1", "client": client}
        return right | members

    def send(self, message: object) -> Message:
        """What ``sendMessage`` came to: ``{"value"}``, ``{"nothing": True}`` or ``{"rejected": text}``."""
        return dict(self.run("([id, message]) => scripted.send(id, message)", [self.provider_id, message]))

    def probe(self, **members: object) -> Message:
        """The answer to a probe; an ``AssertionError`` where there is none."""
        outcome = self.send(self.request(**members))
        assert "value" in outcome, f"the provider did not answer the probe: {outcome}"
        return dict(outcome["value"])

    def probe_time(self) -> float:
        """Milliseconds of one probe, measured in the host's worker."""
        script = "([id, message]) => scripted.probeTime(id, message)"
        return float(self.run(script, [self.provider_id, self.request()]))

    # ---- L1

    def connect(self, *messages: Message, name: str = PORT_NAME) -> HostSession:
        """Open a port and post ``messages`` in the same task, before anything can be decided over there."""
        handle = self.run("(args) => scripted.connect(...args)", [self.provider_id, name, messages])
        return HostSession(self, int(handle))

    def session(self) -> HostSession:
        """A port on which ``initialize`` has been done."""
        session = self.connect()
        session.initialize()
        return session

    def run(self, script: str, arg: object) -> Any:
        """Evaluate in the host's worker."""
        return self.worker.evaluate(script, arg, 20.0)


class HostSession:
    """One port to a provider, and a tiny MCP client on it. JSON-RPC ids count up from 1."""

    def __init__(self, host: ScriptedHost, handle: int) -> None:
        self._host = host
        self.handle = handle
        """Its number in the worker's ``scripted.*``."""
        self._last_id = 0

    @property
    def inbox(self) -> list[Message]:
        """Every message that has come, in order."""
        return list(self._run("inbox"))

    @property
    def closed(self) -> bool:
        """Whether the provider has closed the port, or its worker has ended."""
        return bool(self._run("isClosed"))

    def wait_closed(self) -> None:
        """Wait until the provider has closed the port."""
        assert self._run("ended")

    def disconnect(self) -> None:
        """Close the port from this side."""
        self._run("disconnect")

    def numbered(self, method: str, params: object = None) -> Message:
        """A request with the next id; not sent."""
        self._last_id += 1
        return {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params or {}}

    def post(self, *messages: object) -> bool:
        """Post raw messages in one task; whether the port took them all."""
        return bool(self._run("post", messages))

    def answers(self, *ids: int | str) -> list[Message | None]:
        """The answers to these ids; None for what was still open when the port closed."""
        return list(self._run("answers", ids))

    def wait_for_notification(self, method: str, times: int = 1) -> None:
        """Wait until so many notifications of a method have come."""
        heard = int(self._run("heard", method, times))
        assert heard >= times, f"the port closed after {heard} × {method}, not {times}"

    def request(self, method: str, params: object = None) -> Message:
        """One request, and its JSON-RPC answer."""
        message = self.numbered(method, params)
        self.post(message)
        [answer] = self.answers(message["id"])
        assert answer, f"the port closed before {method} was answered"
        return answer

    def request_time(self, method: str, params: object = None) -> float:
        """Milliseconds of one request, measured in the host's worker."""
        return float(self._run("requestTime", self.numbered(method, params)))

    def initialize(self) -> Message:
        """The handshake; returns the ``InitializeResult``."""
        result = self.request("initialize", initialize_params())["result"]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return dict(result)

    def tools(self) -> list[Message]:
        """The provider's whole listing."""
        listed: list[Message] = []
        cursor: Message = {}
        while True:
            page = self.request("tools/list", cursor)["result"]
            listed += page["tools"]
            if "nextCursor" not in page:
                return listed
            cursor = {"cursor": page["nextCursor"]}

    def call(self, tool: str, **args: object) -> Message:
        """The result of one tool call."""
        [result] = self.call_all([(tool, args)])
        return result

    def call_all(self, calls: Sequence[Call]) -> list[Message]:
        """The results of calls that were posted in one task."""
        answers = self.answers(*self.begin(calls))
        assert all(answers), "the port closed in mid-call"
        return [answer["result"] for answer in answers if answer]

    def begin(self, calls: Sequence[Call]) -> list[int]:
        """Post calls in one task; the ids under which ``answers()`` has their answers."""
        requests = [
            self.numbered("tools/call", {"name": tool, "arguments": dict(args)}) for tool, args in calls
        ]
        self.post(*requests)
        return [int(request["id"]) for request in requests]

    def _run(self, action: str, *arguments: object) -> Any:
        script = "([action, ...rest]) => scripted[action](...rest)"
        return self._host.run(script, [action, self.handle, *arguments])
