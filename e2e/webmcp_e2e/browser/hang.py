"""Notices pages that have stopped answering, so that a Playwright call on one fails instead of waiting for ever.

A call may rightly take long (a promise, a navigation); then the page's main thread still answers a probe.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from .calls import PlaywrightCalls
from .errors import CdpError, HarnessError, HarnessTimeout, PageHung

if TYPE_CHECKING:
    from .gate import Gate

_TICK_SECONDS: Final = 0.5
_SILENCE_BEGINS: Final = frozenset({"Page.javascriptDialogOpening", "Debugger.paused"})
_SILENCE_ENDS: Final = frozenset({"Page.javascriptDialogClosed", "Debugger.resumed"})
SILENCE_EVENTS: Final = _SILENCE_BEGINS | _SILENCE_ENDS
"""Events around a state in which a page is silent and not hung: an open dialog, a breakpoint."""


class HangWatch:
    """Lives on the gate's loop. Half of ``patience`` (seconds) passes before a probe, half after it."""

    def __init__(self, gate: Gate, calls: PlaywrightCalls, patience: float) -> None:
        self._gate = gate
        self._calls = calls
        self._patience = patience
        self._excused: set[str] = set()
        self._probed: dict[str, float] = {}
        self._watching = False

    def chromium_speaks(self) -> None:
        """Chromium has sent something; from the first time on it may be expected to answer."""
        if not self._watching:
            self._watching = True
            self._gate.spawn(self._watch())

    def saw(self, method: str, session_id: str) -> None:
        """One of ``SILENCE_EVENTS`` came on a session."""
        if method in _SILENCE_BEGINS:
            self._excused.add(session_id)
        else:
            self._excused.discard(session_id)

    def session_ended(self, session_id: str) -> None:
        """A session has gone."""
        self._excused.discard(session_id)
        self._probed.pop(session_id, None)

    async def _watch(self) -> None:
        while self._gate.failure is None:
            await asyncio.sleep(_TICK_SECONDS)
            for session_id in self._suspects():
                self._gate.spawn(self._probe(session_id))

    def _suspects(self) -> set[str]:
        """Sessions that owe an answer for long and were not probed of late."""
        now, half = asyncio.get_running_loop().time(), self._patience / 2
        late = self._calls.waiting_longer_than(half) - self._excused
        suspects = {session_id for session_id in late if now - self._probed.get(session_id, 0) > half}
        self._probed.update(dict.fromkeys(suspects, now))
        return suspects

    async def _probe(self, session_id: str) -> None:
        """Any answer is a sign of life, a refusal too."""
        method, params = (
            ("Runtime.evaluate", {"expression": "1"}) if session_id else ("Browser.getVersion", {})
        )
        try:
            await self._gate.command(method, params, session_id=session_id, timeout=self._patience / 2)
        except CdpError:
            return
        except HarnessTimeout:
            if session_id not in self._excused:
                self._give_up(session_id)
        except HarnessError:
            return

    def _give_up(self, session_id: str) -> None:
        if session_id:
            self._calls.refuse(str(_page_hung(self._patience)), session_id)
        else:
            self._gate.fail(_browser_hung(self._patience))


def _page_hung(seconds: float) -> PageHung:
    return PageHung(
        f"the page's main thread has not answered for {seconds:g} s: its script is in an endless loop or paused. "
        "Look at what the page runs, or raise hang_timeout."
    )


def _browser_hung(seconds: float) -> PageHung:
    return PageHung(f"Chromium as a whole has not answered for {seconds:g} s. Launch another one.")
