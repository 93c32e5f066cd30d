"""A provider that behaves as a test says, right or wrong, and remembers what it received and did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from webmcp_e2e.lumo.behaviour import ProviderBehaviour
from webmcp_e2e.lumo.peer_folder import LoadedExtension, PeerStorage, PeerWorker, write_peer
from webmcp_e2e.waiting import wait_until

Entry = dict[str, Any]
T = TypeVar("T")


def write_provider(
    folder: Path, behaviour: ProviderBehaviour, manifest: Mapping[str, Any] | None = None
) -> Path:
    """Write the extension into ``folder``; ``manifest`` replaces or adds members (``externally_connectable`` …)."""
    return write_peer(
        folder,
        ["provider.js", "journal.js"],
        name=behaviour.name or "Scripted provider",
        manifest={"externally_connectable": {"ids": ["*"]}} | dict(manifest or {}),
        behaviour=behaviour.as_json(),
    )


class ScriptedProvider:
    """The loaded extension. Its journal is in its storage: it outlives its worker, and a stopped one is not woken.

    Entries have ``seq`` (from 1), ``at`` (epoch milliseconds) and ``kind``:
    ``started`` (a worker) · ``probe {request, sender, action}`` · ``answer {said}`` ·
    ``connect {port, name, sender, action}`` · ``message {port, message}`` · ``call {port, tool, args, sender, action}``
    (an execution) · ``closed {port}``.
    """

    def __init__(self, extension: LoadedExtension, behaviour: ProviderBehaviour) -> None:
        self.extension = extension
        self.behaviour = behaviour

    @property
    def id(self) -> str:
        """Its extension id."""
        return self.extension.id

    @property
    def worker(self) -> PeerWorker:
        """Its service worker."""
        return self.extension.worker

    @property
    def storage(self) -> PeerStorage:
        """Its ``chrome.storage``."""
        return self.extension.storage

    def behave(self, **changes: Any) -> None:
        """Change members of ``ProviderBehaviour``, whether or not the worker runs."""
        self.behaviour = replace(self.behaviour, **changes)
        self.storage.set({"behaviour": self.behaviour.as_json()})
        if self.worker.status != "stopped":
            self.worker.evaluate("() => scripted.reread()")

    # ---- what it received and did

    def journal(self, kind: str | None = None) -> list[Entry]:
        """The entries, or those of one kind, oldest first."""
        entries: list[Entry] = self.storage.get("journal") or []
        return [entry for entry in entries if kind in (None, entry["kind"])]

    @property
    def probes(self) -> list[Entry]:
        """Every probe, with its ``request`` and the ``sender``'s real id."""
        return self.journal("probe")

    @property
    def connects(self) -> list[Entry]:
        """Every port that was opened to it."""
        return self.journal("connect")

    @property
    def calls(self) -> list[Entry]:
        """Every execution of a tool: ``tool``, ``args``, ``action``."""
        return self.journal("call")

    def messages(self, method: str | None = None) -> list[Entry]:
        """Every JSON-RPC message that came, or those of one method, each with its ``port``."""
        return [
            entry for entry in self.journal("message") if method in (None, entry["message"].get("method"))
        ]

    def wait_for(self, kind: str, count: int = 1, timeout: float = 15.0) -> list[Entry]:
        """Wait until so many entries of a kind are there; returns them."""
        return self._wait(lambda: self.journal(kind), count, f"{count} × {kind}", timeout)

    def wait_for_message(self, method: str, count: int = 1, timeout: float = 15.0) -> list[Entry]:
        """Wait until so many messages of a method have come; returns them."""
        return self._wait(lambda: self.messages(method), count, f"{count} × {method}", timeout)

    def _wait(self, seen: Callable[[], list[Entry]], count: int, what: str, timeout: float) -> list[Entry]:
        def enough() -> list[Entry]:
            entries = seen()
            return entries if len(entries) >= count else []

        return wait_until(enough, f"{what} in the journal of {self.behaviour.name}", timeout=timeout)

    # ---- what it does now; its worker has to run

    def post(self, **message: Any) -> int:
        """Post a JSON-RPC message on every open port; returns how many those are."""
        return int(self.worker.evaluate("(message) => scripted.post(message)", message))

    def change_tools(self, *tools: Mapping[str, Any] | str) -> None:
        """List these tools from now on, and say so on every open port."""
        self.behave(tools=tools)
        self.post(method="notifications/tools/list_changed")

    def drop_ports(self) -> int:
        """Disconnect every open port; returns how many those were."""
        return int(self.worker.evaluate("() => scripted.drop()"))

    def release(self) -> int:
        """Let calls with the action ``hold`` end; returns how many."""
        return int(self.worker.evaluate("() => scripted.release()"))
