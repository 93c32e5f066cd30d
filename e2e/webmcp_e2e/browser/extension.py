"""A loaded extension: its storage, its worker, its side panels, and its life."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from . import side_panel
from .errors import ExtensionError, WorkerStopped
from .loading import has_worker
from .storage import Storage
from .targets import WorkerLife
from .worker import Worker

if TYPE_CHECKING:
    from .browser import ExtensionBrowser
    from .gate import Gate

_WAIT: Final = 10.0
_LOST_AFTER: Final = 3.0
"""Seconds after which an action without a panel counts as lost; one takes 0.15 s."""
_PANEL_BEHAVES: Final = """async () => {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { openPanelOnActionClick } = await chrome.sidePanel.getPanelBehavior();
    if (openPanelOnActionClick) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}"""


class Extension:
    """An extension in this browser; stays valid over reloads and restarts."""

    def __init__(self, browser: ExtensionBrowser, path: Path, extension_id: str) -> None:
        self.browser = browser
        self.path = path
        self.id = extension_id
        self.worker = Worker(self)
        self.storage = Storage(self)
        self._panel_behaves = False

    @property
    def name(self) -> str:
        """The name as a user sees it."""
        return str(self._info()["name"])

    @property
    def version(self) -> str:
        """The manifest's version."""
        return str(self._info()["version"])

    @property
    def enabled(self) -> bool:
        """Whether it is switched on."""
        return bool(self._info()["enabled"])

    @property
    def life(self) -> WorkerLife:
        """The starts and stops of its worker."""
        return self.browser.lives.of(self.id)

    def side_panel(self, page: Page) -> Page:
        """Opens the real side panel beside ``page`` (or finds it open in that window) and gives it as a page."""
        running = self.browser.running
        tab, window = running.run(_place(running.gate, self.browser.target_of(page)), _WAIT)
        present = self._open_panel(window)
        if present is not None:
            return present
        page.bring_to_front()
        self._await_panel_behavior()
        try:
            panel = self._panel_by_action(page, tab)
            panel.wait_for_url(f"{self._origin}/**", timeout=_WAIT * 1000)
        except PlaywrightTimeout:
            raise side_panel.not_opened(self.id) from None
        self._panel_behaves = True
        self.browser.panels[self.id, window] = panel
        return panel

    def close_side_panel(self, page: Page) -> None:
        """Closes the panel of the page's window as a user does; one that is not open is no error."""
        running = self.browser.running
        tab, window = running.run(_place(running.gate, self.browser.target_of(page)), _WAIT)
        panel = self._open_panel(window)
        if panel is not None:
            with panel.expect_event("close", timeout=_WAIT * 1000):
                running.run(side_panel.trigger_action(running.gate, self.id, tab), _WAIT)

    def reload(self) -> None:
        """Reloads the extension from disk, as its reload button does, and waits for the new worker."""
        before = self.life.generation
        self._panel_behaves = False
        self.browser.cdp("Extensions.loadUnpacked", {"path": str(self.path)})
        if has_worker(self.path):
            what = f"no new worker of {self.path} after the reload"
            self.browser.wait_for(lambda: self.life.generation > before, what)
            self.browser.settle([self])

    def disable(self) -> None:
        """Switches it off, as in chrome://extensions; its worker ends."""
        self._switch(False)

    def enable(self) -> None:
        """Switches it on again."""
        self._switch(True)

    def _switch(self, on: bool) -> None:
        script = f"chrome.management.setEnabled({self.id!r}, {str(on).lower()})"
        self.browser.evaluate_in_hidden("chrome://extensions/", script)

    @property
    def _origin(self) -> str:
        return f"chrome-extension://{self.id}"

    def _panel_by_action(self, page: Page, tab: str) -> Page:
        """Chromium loses the first action after a load now and then (1 of 20 measured); a panel that is there
        must not get a second one, which would close it."""
        try:
            return self._after_action(page, tab, _LOST_AFTER)
        except PlaywrightTimeout:
            if self._has_document():
                raise
        return self._after_action(page, tab, _WAIT)

    def _after_action(self, page: Page, tab: str, timeout: float) -> Page:
        running = self.browser.running
        with page.context.expect_page(timeout=timeout * 1000) as opening:
            running.run(side_panel.trigger_action(running.gate, self.id, tab), _WAIT)
        return opening.value

    def _has_document(self) -> bool:
        found = self.browser.cdp("Target.getTargets", {"filter": [{}]})["targetInfos"]
        return any(
            info["url"].startswith(self._origin) and info["type"] in ("page", "other") for info in found
        )

    def _open_panel(self, window: int) -> Page | None:
        panel = self.browser.panels.get((self.id, window))
        return None if panel is None or panel.is_closed() else panel

    def _await_panel_behavior(self) -> None:
        """An action before ``setPanelBehavior`` has run opens nothing; afterwards Chromium keeps it in the profile."""
        if self._panel_behaves or self.worker.status == "stopped":
            return
        with contextlib.suppress(WorkerStopped):
            if not self.worker.evaluate(_PANEL_BEHAVES):
                raise side_panel.not_opened(self.id)

    def _info(self) -> dict[str, Any]:
        for info in self.browser.cdp("Extensions.getExtensions")["extensions"]:
            if info["id"] == self.id:
                return dict(info)
        raise ExtensionError(f"{self.path} is no longer loaded. Load it again with load_extension().")


async def _place(gate: Gate, page_target: str) -> tuple[str, int]:
    """Tab target and window of a page."""
    tab = await side_panel.tab_of(gate, page_target)
    return tab, await side_panel.window_of(gate, page_target)
