"""Types of this folder's fixtures."""

from __future__ import annotations

from typing import Any, Protocol

from webmcp_e2e.lumo.provider_setup import CallName, StateName


class Enter(Protocol):
    """Brings the provider, whichever it is, into a state of its set-up."""

    def __call__(self, state: StateName, *others: str) -> None:
        """The peer, and the ``others`` by id, are let in where the state lets any in."""


class CallOf(Protocol):
    """Finds a call in the provider's set-up."""

    def __call__(self, name: CallName, number: int = 1) -> tuple[str, dict[str, Any]]:
        """Tool and arguments; a ``number`` of its own makes the arguments differ."""


class Allow(Protocol):
    """Flips the browser's real "Allow User Scripts" toggle."""

    def __call__(self, on: bool) -> None:
        """On or off."""
