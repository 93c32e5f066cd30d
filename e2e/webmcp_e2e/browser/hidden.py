"""Documents of the gate's own, which no tab strip, no extension's ``tabs`` and no Playwright context shows."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final

from .cdp import CdpEvent
from .errors import CdpError

if TYPE_CHECKING:
    from .gate import Gate

_WAIT: Final = 10.0


class HiddenDocuments:
    """Tells our hidden documents from side panels: both are announced alike, before the answer names ours."""

    def __init__(self, pass_on: Callable[[CdpEvent], None], own: Callable[[CdpEvent], None]) -> None:
        self._pass_on = pass_on
        self._own = own
        self._creating = 0
        self._undecided: list[CdpEvent] = []

    def withholds(self, event: CdpEvent) -> bool:
        """Whether a new document has to wait, because one of ours is just being made."""
        if self._creating:
            self._undecided.append(event)
        return bool(self._creating)

    async def create(self, gate: Gate) -> str:
        """Makes an empty hidden document and returns its target id."""
        self._creating += 1
        target_id = ""
        try:
            params = {"url": "about:blank", "hidden": True, "background": True}
            target_id = str((await gate.command("Target.createTarget", params))["targetId"])
            return target_id
        finally:
            self._creating -= 1
            self._decide(target_id)

    def _decide(self, target_id: str) -> None:
        undecided, self._undecided = self._undecided, []
        for event in undecided:
            ours = event.params["targetInfo"]["targetId"] == target_id
            (self._own if ours else self._pass_on)(event)


@contextlib.asynccontextmanager
async def hidden_document(gate: Gate, url: str) -> AsyncIterator[str]:
    """A hidden document that shows ``url``: gives the session on it, closes it in the end and waits until it is gone.

    Chromium would offer a message to the extension to a document on its way out, and tell the sender "Receiving end
    does not exist", where the worker is stopped.
    """
    target_id = await gate.hidden.create(gate)
    try:
        await gate.book.wait_for(lambda: bool(gate.session_on(target_id)), _WAIT, f"no document for {url}")
        session_id = gate.session_on(target_id)
        await gate.command("Runtime.runIfWaitingForDebugger", session_id=session_id)
        await gate.command("Page.navigate", {"url": url}, session_id=session_id)
        yield session_id
    finally:
        with contextlib.suppress(CdpError):
            await gate.command("Target.closeTarget", {"targetId": target_id})
            await gate.book.wait_for(lambda: target_id not in gate.book.infos, _WAIT, f"{url} did not close")
