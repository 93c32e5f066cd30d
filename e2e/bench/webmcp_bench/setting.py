"""What every measure is given, and the extension that stands beside the host."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Playwright, sync_playwright

from webmcp_e2e import resources
from webmcp_e2e.browser import ChromiumBinary, find_chromium
from webmcp_e2e.services.html_app import HtmlApp


@dataclass(frozen=True)
class Setting:
    """Playwright, the browser, the page app, the extensions, a folder for logs, the number of rounds."""

    playwright: Playwright
    binary: ChromiumBinary
    app: HtmlApp
    host: Path
    second_extension: Path
    folder: Path
    rounds: int

    def say(self, text: str) -> None:
        """A word on the progress, to stderr."""
        print(f"bench: {text}", file=sys.stderr, flush=True)


@contextmanager
def open_setting(rounds: int, chromium: Path | None, host: Path | None) -> Iterator[Setting]:
    """Everything that the measures share, closed at the end."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="webmcp-bench-")))
        yield Setting(
            stack.enter_context(sync_playwright()),
            find_chromium(chromium),
            stack.enter_context(HtmlApp()),
            host or resources.extension_dir("host"),
            _write_second_extension(folder / "second"),
            folder,
            rounds,
        )


def _write_second_extension(folder: Path) -> Path:
    """A small real extension with worker and content script: a provider's place until there is one."""
    folder.mkdir()
    manifest = {
        "manifest_version": 3,
        "name": "bench second extension",
        "version": "1.0",
        "background": {"service_worker": "worker.js"},
        "content_scripts": [{"matches": ["http://*/*"], "js": ["content.js"], "run_at": "document_start"}],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "worker.js").write_text(
        "chrome.runtime.onMessage.addListener((message, sender, answer) => answer(message));\n"
    )
    (folder / "content.js").write_text("chrome.runtime.sendMessage('here');\n")
    return folder
