"""The real side panel as a Playwright page.

Chromium announces a new panel as a target of type ``other`` without a URL, which Playwright would drop. Rewritten
to type ``page`` it becomes a ``Page`` at once, so that init scripts run before the panel's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .cdp import CdpEvent
from .errors import CdpError, ExtensionError

if TYPE_CHECKING:
    from .gate import Gate


def is_new_panel(event: CdpEvent) -> bool:
    """Whether an ``attachedToTarget`` is a side panel's first (any document outside the tab strip looks like that)."""
    info = event.params["targetInfo"]
    return bool(info["type"] == "other" and not info["url"] and not event.session_id)


def as_page(event: CdpEvent) -> CdpEvent:
    """The same event with the target's type changed to ``page``."""
    info: dict[str, Any] = {**event.params["targetInfo"], "type": "page"}
    return CdpEvent(event.method, {**event.params, "targetInfo": info}, event.session_id)


async def tab_of(gate: Gate, page_target: str) -> str:
    """The ``tab`` target that holds a page target: the one that actions of extensions are triggered on."""
    found = await gate.command("Target.getTargets", {"filter": [{"type": "tab"}]})
    for info in found["targetInfos"]:
        if page_target in await _pages_in(gate, info["targetId"]):
            return str(info["targetId"])
    raise ExtensionError(
        "the page is in no tab of this browser. Give a page of `browser.context` that is open."
    )


async def _pages_in(gate: Gate, tab: str) -> set[str]:
    """The page targets in a tab. Asked by a passing auto-attach, as Chromium reports a tab's pages nowhere else."""
    try:
        session_id = await gate.attach(tab)
    except CdpError:
        return set()  # The tab has closed meanwhile.
    params = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
    try:
        await gate.command("Target.setAutoAttach", params, session_id=session_id)
        return gate.children(session_id)
    finally:
        await gate.detach(session_id)


async def window_of(gate: Gate, target: str) -> int:
    """The browser window of a page or tab target."""
    answer = await gate.command("Browser.getWindowForTarget", {"targetId": target})
    return int(answer["windowId"])


async def trigger_action(gate: Gate, extension_id: str, tab: str) -> None:
    """What a click on the extension's toolbar button does in that tab."""
    try:
        await gate.command("Extensions.triggerAction", {"id": extension_id, "targetId": tab})
    except CdpError as error:
        raise ExtensionError(
            f"the extension's action was refused ({error}). Is the extension enabled?"
        ) from None


def not_opened(extension_id: str) -> ExtensionError:
    """The error for a panel that did not come."""
    return ExtensionError(
        f"the side panel of {extension_id} did not open. The extension must call "
        "chrome.sidePanel.setPanelBehavior({openPanelOnActionClick: true}) when its worker starts."
    )
