"""Where somebody else's observer takes part in what the gate does, without the gate knowing what it observes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .cdp import CdpEvent

if TYPE_CHECKING:
    from .gate import Gate


class GateHook(Protocol):
    """Runs on the gate's loop and must not block. One hook serves a browser over its restarts."""

    @property
    def reads(self) -> frozenset[str]:
        """Names of the events that ``saw`` wants."""

    async def opened(self, gate: Gate, /) -> None:
        """A Chromium has started."""

    def closed(self) -> None:
        """It has ended."""

    def attached(self, gate: Gate, event: CdpEvent, /) -> None:
        """A document waits for its debugger. What is posted on its session now comes before Playwright's commands."""

    async def let_run(self, gate: Gate, session_id: str, info: dict[str, Any], /) -> None:
        """Lets a worker run that is held before its first line; the gate detaches its session afterwards."""

    def saw(self, gate: Gate, event: CdpEvent, /) -> bool:
        """An event of ``reads``; true keeps it from Playwright."""
