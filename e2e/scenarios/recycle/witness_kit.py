"""An extension that bears witness to the life of its worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.waiting import wait_until

WITNESS = Path(__file__).parent / "witness"


class Witness:
    """The witness extension in a browser."""

    def __init__(self, browser: ExtensionBrowser) -> None:
        self.browser = browser
        self.extension: Extension = browser.load_extension(WITNESS, local_storage={"kept": True})
        self.worker = self.extension.worker

    def birth(self) -> str:
        """An event that wakes the worker; the answer tells one start of the worker from another."""
        page = self.browser.context.new_page()
        page.goto(f"chrome-extension://{self.extension.id}/page.html")
        answer: str = page.evaluate("chrome.runtime.sendMessage('who')")
        page.close()
        return answer

    def wait_for_events(self, *expected: str) -> None:
        """Waits until exactly these life-cycle events have reached the workers, in this order."""
        wait_until(lambda: self.events() == list(expected), f"the life-cycle events {expected}")

    def events(self) -> Any:
        """The life-cycle events so far."""
        return self.extension.storage.get("events")
