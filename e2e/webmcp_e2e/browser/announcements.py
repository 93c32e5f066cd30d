"""Targets that Chromium announces before Playwright is there to hear of them.

The gate itself asks Chromium to attach to everything, so that workers are let go and extensions load while
Playwright is still connecting; what concerns Playwright is kept until Playwright asks for the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .cdp import command_method, encode_answer, message_id, session_of

AUTO_ATTACH: Final = "Target.setAutoAttach"
AUTO_ATTACH_PARAMS: Final[dict[str, Any]] = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
}
"""What Playwright asks for, word for word."""


class Announcements:
    """Keeps announcements, and passes them on once Playwright has asked."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._kept: list[bytes] | None = []

    def pass_on(self, message: bytes) -> None:
        """One message of Chromium's about targets, for Playwright."""
        if self._kept is None:
            self._send(message)
        else:
            self._kept.append(message)

    def answers(self, command: bytes) -> bool:
        """Answers Playwright's first wish to be attached to everything in Chromium's place; true if it was that."""
        if self._kept is None or command_method(command) != AUTO_ATTACH or session_of(command):
            return False
        kept, self._kept = self._kept, None
        for message in kept:
            self._send(message)
        self._send(encode_answer(message_id(command) or 0, "", {"result": {}}))
        return True
