"""How a scripted provider behaves: right unless told otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

from pydantic.alias_generators import to_camel

from webmcp_e2e.lumo.models import MCP_REVISION

ProbeAction = Literal["answer", "never", "die", "throw", "leave"]
"""``never`` leaves the sender pending · ``die`` reloads the extension, which ends its worker · ``leave``: the
listener takes nothing, and the sender gets ``undefined``, as from a worker that died early · ``throw``: the listener
throws. In a plan the last two need a worker that runs already."""

ConnectAction = Literal["serve", "refuse", "silent"]
"""``refuse`` disconnects at once · ``silent`` keeps the port and says nothing."""

CallAction = Literal[
    "ok",
    "fail",
    "error",
    "malformed",
    "wrong_id",
    "never",
    "late",
    "hold",
    "drop",
    "die",
    "twice",
    "flood",
]
"""All execute the call first (``ScriptedProvider.calls``). ``fail`` answers ``isError`` · ``error`` a JSON-RPC error ·
``malformed`` a result without a content list · ``late`` after ``late_ms`` · ``hold`` when the test says
``release()`` · ``drop`` disconnects the port · ``die`` ends the worker · ``twice`` answers two times · ``flood``
sends 1,000 notifications before the answer."""

Plan = Sequence[Any]
"""Steps one after the other; the last one stays. Counted over all lives of the worker."""


class _Absent:
    """Stands for "not given", where ``None`` means JSON's null."""


ABSENT: Final = _Absent()


_PROBED: Final = frozenset(
    {"namespace", "name", "version", "service"}
    | {"enabled", "authorized", "ready", "pending_approval", "reason", "status"}
    | {"answer", "tools"}
)
"""Members that do not go into the worker's JSON under their own name."""


def tool(name: str, *, read_only: bool = False, **members: Any) -> dict[str, Any]:
    """A tool definition that takes any object; ``members`` replace or add to it."""
    annotations = {"readOnlyHint": read_only}
    schema = {"type": "object"}
    return {"name": name, "description": name, "inputSchema": schema, "annotations": annotations} | members


@dataclass(frozen=True)
class ProviderBehaviour:
    """Every member may be given to ``scripted_provider(...)``; all may be changed later with ``behave()``."""

    namespace: str = "scripted"
    name: str = "Scripted provider"
    version: str = "1.0"
    service: Any = ABSENT
    """The whole service, in place of the three above."""
    enabled: bool = True
    authorized: bool = True
    ready: bool = True
    pending_approval: bool = False
    reason: str | None = None
    status: Any = ABSENT
    """The whole status, in place of the five above."""
    answer: Any = ABSENT
    """The whole answer to a probe, any JSON, in place of service and status."""
    probe: ProbeAction | Plan = "answer"
    probe_delay_ms: int = 0
    connect: ConnectAction | Plan = "serve"
    early: Sequence[Mapping[str, Any]] = ()
    """Messages posted as soon as a port opens, before anything was asked."""
    initialize: Literal["fresh", "replay"] = "fresh"
    """``replay`` first posts the answer that the very first ``initialize`` got, on every new port."""
    revision: str = MCP_REVISION
    instructions: str = "Scripted."
    tools: Sequence[Mapping[str, Any] | str] = ("echo", "write")
    """Definitions, or names. ``echo`` says that it only reads."""
    page_size: int = 0
    """Tools a page of the listing; 0 for one page."""
    endless: bool = False
    """Every page of the listing has a next one."""
    call: CallAction | Plan = "ok"
    calls: Mapping[str, CallAction | Plan] = field(default_factory=dict)
    """By tool; ``call`` is for the others."""
    late_ms: int = 2_000
    flood: int = 0
    """Notifications posted after ``initialize``."""
    silent: Sequence[str] = ()
    """Methods that get no answer."""
    results: Mapping[str, Any] = field(default_factory=dict)
    """Results by method, as they are, in place of the right ones."""
    errors: Mapping[str, Any] = field(default_factory=dict)
    """JSON-RPC errors by method."""

    def as_json(self) -> dict[str, Any]:
        """What the worker reads."""
        members = {item.name: getattr(self, item.name) for item in fields(self)}
        plain = {to_camel(name): value for name, value in members.items() if name not in _PROBED}
        plain |= {"service": self._service(), "status": self._status()}
        plain["tools"] = [_defined(item) for item in self.tools]
        return plain if self.answer is ABSENT else plain | {"answer": self.answer}

    def _service(self) -> Any:
        if self.service is not ABSENT:
            return self.service
        return {"namespace": self.namespace, "name": self.name, "version": self.version}

    def _status(self) -> Any:
        if self.status is not ABSENT:
            return self.status
        flags = {"enabled": self.enabled, "authorized": self.authorized, "ready": self.ready}
        reason = {} if self.reason is None else {"reason": self.reason}
        return flags | {"pendingApproval": self.pending_approval} | reason


def _defined(item: Mapping[str, Any] | str) -> dict[str, Any]:
    return tool(item, read_only=item == "echo") if isinstance(item, str) else dict(item)
