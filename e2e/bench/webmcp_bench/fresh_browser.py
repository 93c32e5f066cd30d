"""A fresh profile, a browser, two extensions, a page: ours beside Playwright's own persistent context."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator

from playwright.sync_api import BrowserContext

from webmcp_e2e.browser import ExtensionBrowser

from .results import Result
from .rounds import in_turn
from .setting import Setting

_WORKERS = 2


def _ours(setting: Setting) -> float:
    begin = time.perf_counter()
    extensions = {setting.host: None, setting.second_extension: None}
    browser = ExtensionBrowser.launch(setting.playwright, binary=setting.binary, extensions=extensions)
    try:
        browser.context.new_page().goto(setting.app.page("plain.html"))
        return time.perf_counter() - begin
    finally:
        browser.close()


def _wait_for_workers(context: BrowserContext) -> None:
    while len(context.service_workers) < _WORKERS:
        context.wait_for_event("serviceworker", timeout=10_000)


def _playwrights_own(setting: Setting) -> float:
    extensions = f"{setting.host},{setting.second_extension}"
    with tempfile.TemporaryDirectory(prefix="webmcp-bench-profile-") as profile:
        begin = time.perf_counter()
        context = setting.playwright.chromium.launch_persistent_context(
            profile,
            executable_path=setting.binary.path,
            headless=True,
            chromium_sandbox=os.geteuid() != 0,
            args=[
                f"--disable-extensions-except={extensions}",
                f"--load-extension={extensions}",
                "--enable-blink-features=WebMCP",
            ],
        )
        try:
            _wait_for_workers(context)
            context.new_page().goto(setting.app.page("plain.html"))
            return time.perf_counter() - begin
        finally:
            context.close()


def measure_fresh_browser(setting: Setting) -> Iterator[Result]:
    """Seconds from nothing to a loaded page with both extensions' workers running."""
    samples = in_turn(
        {"ours": lambda: _ours(setting), "peer": lambda: _playwrights_own(setting)}, setting.rounds
    )
    found = {who: statistics.median(values) for who, values in samples.items()}
    yield Result(
        "fresh_browser_s",
        found["ours"],
        "s",
        "Playwright launch_persistent_context",
        found["peer"],
        note="host and a minimal second extension",
    )
