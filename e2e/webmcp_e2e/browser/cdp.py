"""Looking at CDP messages without parsing them: a screenshot of megabytes crosses the gate as bytes.

Chromium and Playwright both write ``id`` or ``method`` first and ``sessionId`` last (measured, 150 and 156).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

OWN_IDS_FROM: Final = 1_000_000_000
"""Ids of the gate's own commands start here; Playwright counts from 1."""

_ID: Final = re.compile(rb'\{"id":(\d+)')
_COMMAND: Final = re.compile(rb'\{"id":\d+,"method":"([A-Za-z.]+)"')
_METHOD: Final = re.compile(rb'\{"method":"([A-Za-z.]+)"')
_SESSION: Final = re.compile(rb'"sessionId":"([0-9A-F]{32})"\}$')
_SESSION_TAIL: Final = 64


@dataclass(frozen=True)
class CdpEvent:
    """An event as Chromium sent it; ``session_id`` is empty for the browser's own session."""

    method: str
    params: dict[str, Any]
    session_id: str


def message_id(message: bytes) -> int | None:
    """The id of a command or an answer; none for an event."""
    found = _ID.match(message)
    return int(found[1]) if found else None


def command_method(message: bytes) -> str:
    """The method of a command, empty when it cannot be seen at once."""
    found = _COMMAND.match(message)
    return found[1].decode() if found else ""


def event_method(message: bytes) -> str | None:
    """The method of an event (or of a message that starts with one)."""
    found = _METHOD.match(message)
    return found[1].decode() if found else None


def session_of(message: bytes) -> str:
    """The flat session that a message belongs to, empty for the browser's own."""
    found = _SESSION.search(message, max(0, len(message) - _SESSION_TAIL))
    return found[1].decode() if found else ""


def parse_event(message: bytes) -> CdpEvent:
    """The whole event."""
    content = json.loads(message)
    return CdpEvent(content["method"], content.get("params", {}), content.get("sessionId", ""))


def encode_event(event: CdpEvent) -> bytes:
    """An event as Chromium would have sent it."""
    content: dict[str, Any] = {"method": event.method, "params": event.params}
    if event.session_id:
        content["sessionId"] = event.session_id
    return _encode(content)


def encode_command(number: int, method: str, params: dict[str, Any] | None, session_id: str = "") -> bytes:
    """A command."""
    content: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
    if session_id:
        content["sessionId"] = session_id
    return _encode(content)


def encode_answer(number: int, session_id: str, body: dict[str, Any]) -> bytes:
    """An answer as Chromium would have sent it; ``body`` has ``result`` or ``error``."""
    content: dict[str, Any] = {"id": number, **body}
    if session_id:
        content["sessionId"] = session_id
    return _encode(content)


def _encode(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()
