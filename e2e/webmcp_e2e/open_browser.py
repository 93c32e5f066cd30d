"""``webmcp-e2e open``: a headed browser with extension, page and relay connected, until it is closed."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

from webmcp_e2e import resources
from webmcp_e2e.browser import ExtensionBrowser, HarnessError, find_chromium
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.services.relay_process import Relay


def _has_display() -> bool:
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run(url: str | None, chromium: Path | None) -> int:
    """Open the browser and wait until its window is closed or Ctrl-C; returns the exit code."""
    if not _has_display():
        print(
            "webmcp-e2e open: there is no display ($DISPLAY is not set). Run it on a desktop, "
            "or under a virtual one: xvfb-run webmcp-e2e open",
            file=sys.stderr,
        )
        return 3
    try:
        with ExitStack() as stack:
            _open(stack, url, chromium)
    except KeyboardInterrupt:
        return 0
    except HarnessError as error:
        print(f"webmcp-e2e open: {error}", file=sys.stderr)
        return 3
    return 0


def _open(stack: ExitStack, url: str | None, chromium: Path | None) -> None:
    ports = stack.enter_context(port_range())
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="webmcp-open-")))
    relay = Relay(ports, folder)
    relay.start()
    stack.callback(relay.close)
    playwright = stack.enter_context(sync_playwright())
    browser = ExtensionBrowser.launch(playwright, binary=find_chromium(chromium), headless=False)
    stack.callback(browser.close)
    settings = {"enabled": True, "host": "127.0.0.1", "ports": [ports[0], ports[-1]]}
    host = browser.load_extension(
        resources.extension_dir("host"), local_storage={RELAY_SETTINGS_KEY: settings}
    )
    page = browser.context.new_page()
    if url is None:
        app = stack.enter_context(HtmlApp())
        url = app.page(lab="")
    page.goto(url)
    host.side_panel(page)
    print(
        f"page       {url}\nextension  {host.name} {host.version} ({host.id})\nrelay      127.0.0.1:{relay.port}"
    )
    print("Close the browser's window or press Ctrl-C to end.")
    try:
        page.wait_for_event("close", timeout=0)
    except Error:
        return
