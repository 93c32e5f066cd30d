"""Playwright's commands that Chromium has not answered yet, and how to answer one in Chromium's place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from .cdp import command_method, encode_answer, session_of

_EVALUATIONS: Final = frozenset({"Runtime.evaluate", "Runtime.callFunctionOn"})


@dataclass(frozen=True)
class Call:
    """One command: its method, its session (empty: the browser's own), when it was sent (loop time)."""

    method: str
    session_id: str
    since: float


class PlaywrightCalls:
    """Lives on the gate's loop."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._waiting: dict[int, Call] = {}

    def asked(self, number: int, message: bytes) -> None:
        """Playwright has sent a command."""
        now = asyncio.get_running_loop().time()
        self._waiting[number] = Call(command_method(message), session_of(message), now)

    def answered(self, number: int) -> bool:
        """Chromium has answered; false when that comes too late, because we had answered already."""
        return self._waiting.pop(number, None) is not None

    def session_ended(self, session_id: str) -> None:
        """A session has gone; Playwright gives up its commands by itself."""
        for number in self._of(session_id):
            del self._waiting[number]

    def waiting_longer_than(self, seconds: float) -> set[str]:
        """The sessions that owe an answer for longer than that."""
        since = asyncio.get_running_loop().time() - seconds
        return {call.session_id for call in self._waiting.values() if call.since < since}

    def refuse(self, text: str, session_id: str | None = None) -> None:
        """Answers every waiting command (of one session) with an error, so that the caller reads ``text``."""
        for number in self._of(session_id):
            call = self._waiting.pop(number)
            self._send(encode_answer(number, call.session_id, _refusal(call.method, text)))

    def _of(self, session_id: str | None) -> list[int]:
        return [key for key, call in self._waiting.items() if session_id in (None, call.session_id)]


def _refusal(method: str, text: str) -> dict[str, Any]:
    """Playwright takes an error on an evaluation for a navigation and hides its text; an exception it shows."""
    if method not in _EVALUATIONS:
        return {"error": {"code": -32000, "message": text}}
    exception = {"type": "object", "subtype": "error", "className": "Error", "description": text}
    details = {"exceptionId": 0, "text": text, "lineNumber": 0, "columnNumber": 0, "exception": exception}
    return {"result": {"result": {"type": "undefined"}, "exceptionDetails": details}}
