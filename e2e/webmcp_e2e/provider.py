"""The loaded provider extension, with what a person does to it: the page, the switches, the browser's own toggle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from webmcp_e2e.browser import Extension, ExtensionBrowser, Worker, WorkerStopped
from webmcp_e2e.browser.storage import Storage
from webmcp_e2e.lumo.provider_setup import SETUP_FILE, ProviderSetup, StateName
from webmcp_e2e.waiting import wait_until

FRESH_POLICY: Final = {"endpoint": False, "write": False, "review": True}
"""The switches of a fresh install."""

_MAY_RUN: Final = """async () => {
  try {
    await chrome.userScripts.getScripts({ ids: ["-"] });
    return true;
  } catch {
    return false;
  }
}"""


def allowlist_entry(sender_id: str) -> dict[str, str]:
    """An entry of the provider's allowlist, as it is stored."""
    return {"id": sender_id, "name": "", "at": "2026-01-01T00:00:00.000Z"}


class Provider:
    """A provider extension in this browser.

    ``enter`` brings any provider into a state, by its set-up. ``set_policy``, ``allow`` and ``page`` know the one
    that comes with webmcp-e2e.
    """

    def __init__(self, browser: ExtensionBrowser, extension: Extension) -> None:
        self.browser = browser
        self.extension = extension
        self._user_scripts: bool | None = None

    @property
    def id(self) -> str:
        """Its extension id."""
        return self.extension.id

    @property
    def version(self) -> str:
        """Its manifest's version."""
        return self.extension.version

    @property
    def path(self) -> Path:
        """Its folder."""
        return self.extension.path

    @property
    def worker(self) -> Worker:
        """Its service worker."""
        return self.extension.worker

    @property
    def storage(self) -> Storage:
        """Its ``chrome.storage``."""
        return self.extension.storage

    @cached_property
    def setup(self) -> ProviderSetup:
        """How it is brought into a state, and what may be called. Raises ``SetupError``."""
        return ProviderSetup.load(self.path / SETUP_FILE)

    def enter(self, state: StateName, *sender_ids: str) -> None:
        """Bring it into a state of its set-up, with these extensions let in where the state lets any in."""
        items = self.setup.storage(state, sender_ids)
        if items:
            self.storage.set(items)
        toggle = self.setup.states[state].user_scripts
        if toggle is not None and toggle is not self._user_scripts:
            self.allow_user_scripts(toggle)

    def reload(self) -> None:
        """Reload the extension, and wait for its new worker."""
        self.extension.reload()

    def disable(self) -> None:
        """Switch the extension off."""
        self.extension.disable()

    def enable(self) -> None:
        """Switch the extension on again."""
        self.extension.enable()

    def side_panel(self, page: Page) -> Page:
        """Its side panel, where it has one, opened beside ``page``."""
        return self.extension.side_panel(page)

    def page(self) -> Page:
        """Its own page, in a new tab."""
        page = self.browser.context.new_page()
        page.goto(f"chrome-extension://{self.id}/page/index.html")
        return page

    def set_policy(self, **switches: bool) -> None:
        """Set ``endpoint``, ``write`` or ``review``; the others stay as they are."""
        policy: Mapping[str, bool] = self.storage.get("policy") or FRESH_POLICY
        self.storage.set({"policy": {**policy, **switches}})

    def allow(self, *sender_ids: str) -> None:
        """Put senders on the allowlist, beside those that are there."""
        listed: list[dict[str, Any]] = self.storage.get("allowlist") or []
        self.storage.set({"allowlist": [*listed, *map(allowlist_entry, sender_ids)]})

    def disallow(self, *sender_ids: str) -> None:
        """Take senders off the allowlist; none: all."""
        listed: list[dict[str, Any]] = self.storage.get("allowlist") or []
        left = [entry for entry in listed if sender_ids and entry["id"] not in sender_ids]
        self.storage.set({"allowlist": left})

    def allow_user_scripts(self, on: bool = True) -> None:
        """Flip the browser's real "Allow User Scripts" toggle of this extension."""
        self._flip(on)
        wait_until(lambda: self._worker_knows(on), f"the worker may{'' if on else ' not'} run userscripts")
        if on and not self._user_scripts:
            # Chromium remembers it for an extension of the same id that comes later.
            self.browser.outlasting.append(lambda: self._flip(False))
        self._user_scripts = on

    def _flip(self, on: bool) -> None:
        update = json.dumps({"extensionId": self.id, "userScriptsAccess": on})
        script = f"chrome.developerPrivate.updateExtensionConfiguration({update})"
        self.browser.evaluate_in_hidden("chrome://extensions/", script)

    def _worker_knows(self, on: bool) -> bool:
        """The browser tells a running worker a moment after the toggle has moved; a later one knows from its start."""
        try:
            return bool(self.worker.evaluate(_MAY_RUN) is on)
        except WorkerStopped:
            return True
