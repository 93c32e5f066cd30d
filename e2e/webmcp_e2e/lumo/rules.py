"""Pure rules of the extension protocol: ids, names, limits, and the host's state machine.

Each is the model that scenarios hold the extensions against; ``extensions/contract/lumo*.ts`` are their
counterparts, and a test compares the two on made-up inputs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeGuard


class Limit(NamedTuple):
    """One bound of the protocol and the reason for it."""

    value: int
    reason: str


LIMITS: Final[dict[str, Limit]] = {
    "toolsPerProvider": Limit(64, "keeps the catalogue that a model sees bounded"),
    "namespaceChars": Limit(16, "leaves room for the tool's name"),
    "toolNameChars": Limit(40, "a provider can check it without knowing any host"),
    "combinedChars": Limit(
        57, "with ext__ in front at most 62: below the 64 of the model APIs' function names"
    ),
    "textChars": Limit(200, "a foreign text in the panel stays a sentence"),
    "pendingApprovals": Limit(20, "a person can still read the list; the oldest makes room"),
    "bufferedMessages": Limit(64, "nobody needs more before authorization is decided"),
    "bufferedBytes": Limit(1_048_576, "a stranger may not fill the worker's memory"),
    "auditEntries": Limit(1_000, "a ring that one storage write can carry"),
    "writesPerWindow": Limit(30, "a person can still follow what an agent changes"),
    "writeWindowMs": Limit(60_000, "slides, so that a minute's edge gives no second helping"),
}
"""Every bound; characters are Unicode code points."""


def is_extension_id(value: object) -> TypeGuard[str]:
    """The only validator of extension ids."""
    return isinstance(value, str) and re.fullmatch("[a-p]{32}", value) is not None


# ---- names ----

NAMESPACE_PATTERN: Final = r"^[a-z](?:_?[a-z0-9])*$"
TOOL_NAME_PATTERN: Final = r"^[a-zA-Z][a-zA-Z0-9_-]{0,39}$"
RESERVED_NAMESPACES: Final = ("browser", "page", "file", "network", "devtools", "webmcp", "ext")

NameRule = Literal[
    "namespace", "reserved", "namespace_taken", "too_many", "tool_name", "combined", "collision"
]

NAME_RULES: Final[dict[NameRule, str]] = {
    "namespace": "The namespace must match ^[a-z](?:_?[a-z0-9])*$ and have at most 16 characters",
    "reserved": "The namespace is reserved for built-in tools",
    "namespace_taken": "The namespace belongs to another provider that had it first",
    "too_many": "A provider may have at most 64 tools; the first 64 stay",
    "tool_name": "A tool's name must match ^[a-zA-Z][a-zA-Z0-9_-]{0,39}$",
    "combined": "<namespace>__<tool> may have at most 57 characters",
    "collision": "Another tool already has this name; the first one keeps it",
}
"""The text that the panel shows beside a rejected tool."""


def _fits(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern.removesuffix("$"), text) is not None


def combined_name(namespace: str, tool: str) -> str:
    """``<namespace>__<tool>``: what the limit of 57 is about."""
    return f"{namespace}__{tool}"


def model_name(namespace: str, tool: str) -> str:
    """The name that a model sees."""
    return f"ext__{combined_name(namespace, tool)}"


def namespace_problem(namespace: str) -> NameRule | None:
    """The rule that the namespace breaks, if any."""
    if not _fits(NAMESPACE_PATTERN, namespace) or len(namespace) > LIMITS["namespaceChars"].value:
        return "namespace"
    return "reserved" if namespace in RESERVED_NAMESPACES else None


def tool_problem(namespace: str, tool: str) -> NameRule | None:
    """The rule that one tool's name breaks, if any."""
    if not _fits(TOOL_NAME_PATTERN, tool):
        return "tool_name"
    return "combined" if len(combined_name(namespace, tool)) > LIMITS["combinedChars"].value else None


@dataclass(frozen=True)
class Admission:
    """Indexes into a provider's listing, in its order."""

    accepted: list[int]
    rejected: list[tuple[int, NameRule]]


def admit_tools(
    provider_id: str,
    namespace: str,
    names: Sequence[str],
    *,
    owner: str | None = None,
    taken: Collection[str] = (),
) -> Admission:
    """Which tools of one provider's listing a host takes over.

    Args:
        provider_id: the provider's extension id.
        namespace: the provider's namespace.
        names: in listing order, doubles included.
        owner: the provider id that had the namespace first; None if nobody had it.
        taken: model-visible names of the servers before this one.
    """
    of_all = namespace_problem(namespace)
    if of_all is None and owner is not None and owner != provider_id:
        of_all = "namespace_taken"
    seen = set(taken)
    admission = Admission([], [])
    for index, name in enumerate(names):
        visible = model_name(namespace, name)
        rule = of_all or _rule_against(namespace, name, index, visible in seen)
        if rule:
            admission.rejected.append((index, rule))
        else:
            admission.accepted.append(index)
            seen.add(visible)
    return admission


def _rule_against(namespace: str, name: str, index: int, taken: bool) -> NameRule | None:
    if index >= LIMITS["toolsPerProvider"].value:
        return "too_many"
    return tool_problem(namespace, name) or ("collision" if taken else None)


# ---- the host's state machine ----

HostErrorCode = Literal[
    "not_installed",
    "timeout",
    "protocol_error",
    "incomplete",
    "disabled",
    "pending_approval",
    "not_authorized",
    "not_ready",
]

HOST_ERROR_TEXTS: Final[dict[HostErrorCode, str]] = {
    "not_installed": "Extension not installed, or it has no agent endpoint",
    "timeout": "Probe timed out after 1500 ms",
    "protocol_error": "Protocol error",
    "incomplete": "Probe response is incomplete",
    "disabled": "Agent access is turned off in the provider",
    "pending_approval": "Waiting for your approval in the provider",
    "not_authorized": "This extension is not on the provider's allowlist",
    "not_ready": "The provider is not ready",
}
"""In the order in which the rows are checked; the first match wins."""

INVALID_ID: Final = {
    "code": "invalid_id",
    "text": "An extension id is 32 letters from a to p. Copy it from chrome://extensions",
}
"""The answer to an id that must never reach Chrome."""


@dataclass(frozen=True)
class Rejected:
    """``sendMessage`` rejected with this message."""

    message: str


@dataclass(frozen=True)
class TimedOut:
    """No answer in 1,500 ms."""


@dataclass(frozen=True)
class Undefined:
    """JavaScript's ``undefined``: the worker died before its listener returned."""


@dataclass(frozen=True)
class Answered:
    """``sendMessage`` resolved with this JSON value."""

    value: Any


ProbeOutcome = Rejected | TimedOut | Undefined | Answered


class HostState(NamedTuple):
    """A row of the table. ``code`` and ``text`` are empty when connected."""

    state: Literal["error", "connected"]
    code: HostErrorCode | Literal[""]
    text: str


CONNECTED: Final = HostState("connected", "", "")


def died_in_probe(outcome: ProbeOutcome) -> bool:
    """Whether the provider's worker died in the probe: then it is probed once more, and that one counts."""
    if isinstance(outcome, Rejected):
        return "message channel closed" in outcome.message
    return isinstance(outcome, Undefined)


def classify(outcome: ProbeOutcome) -> HostState:
    """The state of a provider after its (second) probe."""
    if isinstance(outcome, Rejected):
        return _error("not_installed")
    if isinstance(outcome, TimedOut):
        return _error("timeout")
    return _classify_answer(outcome.value if isinstance(outcome, Answered) else None)


def _error(code: HostErrorCode, text: object = None) -> HostState:
    own = text[: LIMITS["textChars"].value] if isinstance(text, str) and text else HOST_ERROR_TEXTS[code]
    return HostState("error", code, own)


def _classify_answer(value: object) -> HostState:
    if not isinstance(value, Mapping):
        return _error("incomplete")
    if value.get("ok") is False:
        error = value.get("error")
        return _error("protocol_error", error.get("message") if isinstance(error, Mapping) else None)
    service, status = value.get("service"), value.get("status")
    if value.get("ok") is not True or not _is_service(service) or not _is_status(status):
        return _error("incomplete")
    return _classify_status(status)


def _is_service(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(value.get(member), str) for member in ("namespace", "name", "version")
    )


def _is_status(value: object) -> TypeGuard[Mapping[str, Any]]:
    flags = ("enabled", "authorized", "ready", "pendingApproval")
    return (
        isinstance(value, Mapping)
        and all(isinstance(value.get(flag), bool) for flag in flags)
        and isinstance(value.get("reason", ""), str)
    )


def _classify_status(status: Mapping[str, Any]) -> HostState:
    if not status["enabled"]:
        return _error("disabled")
    if not status["authorized"]:
        return _error("pending_approval" if status["pendingApproval"] else "not_authorized")
    return CONNECTED if status["ready"] else _error("not_ready", status.get("reason"))
