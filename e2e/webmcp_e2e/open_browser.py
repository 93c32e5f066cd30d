"""``webmcp-e2e open``: a browser with extensions, page and relay connected and its hops in the terminal."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from webmcp_e2e import resources
from webmcp_e2e.browser import ExtensionBrowser, HarnessError, find_chromium
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.hops import Hops
from webmcp_e2e.hops.live import LiveHops
from webmcp_e2e.lumo.models import PROVIDERS_KEY
from webmcp_e2e.lumo.peer_folder import unpacked_id
from webmcp_e2e.lumo.provider_setup import SETUP_FILE, ProviderSetup
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.mcp_client import McpClientError
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.services.relay_process import Relay


@dataclass(frozen=True)
class Wish:
    """What the command line asks for: see ``webmcp-e2e open --help``."""

    url: str | None = None
    chromium: Path | None = None
    hops: bool = True
    words: Sequence[str] = ()
    headless: bool = False


def _has_display() -> bool:
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run(wish: Wish) -> int:
    """Open the browser and wait until its page is closed, Ctrl-C or SIGTERM; returns the exit code."""
    if not wish.headless and not _has_display():
        print(
            "webmcp-e2e open: there is no display ($DISPLAY is not set). Run it on a desktop, under a virtual one "
            "(xvfb-run webmcp-e2e open), or with --headless.",
            file=sys.stderr,
        )
        return 3
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with ExitStack() as stack:
            _open(stack, wish)
    except KeyboardInterrupt:
        return 0
    except (HarnessError, McpClientError, Error) as error:
        print(f"webmcp-e2e open: {error}", file=sys.stderr)
        return 3
    return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _open(stack: ExitStack, wish: Wish) -> None:
    ports = stack.enter_context(port_range())
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="webmcp-open-")))
    hops = Hops("on" if wish.hops else "off", folder)
    relay = Relay(ports, folder, flags=hops.tape())
    relay.listener = hops.client()
    relay.start()
    stack.callback(relay.close)
    playwright = stack.enter_context(sync_playwright())
    browser = ExtensionBrowser.launch(
        playwright, binary=find_chromium(wish.chromium), headless=wish.headless, hook=hops.tap()
    )
    stack.callback(browser.close)
    host, provider = browser.load_extensions(_extensions(ports))
    for extension in (host, provider):
        hops.recorder.name(extension.id, extension.path.name)
    page = browser.context.pages[0]
    url = wish.url or stack.enter_context(HtmlApp()).page(lab="")
    page.goto(url)
    host.side_panel(page)
    print(f"page       {url}")
    for extension in (host, provider):
        print(f"extension  {extension.name} {extension.version} ({extension.id})")
    print(f"relay      127.0.0.1:{relay.port}")
    print("Close the page or press Ctrl-C to end.", flush=True)
    _watch(page, hops, wish)


def _extensions(ports: range) -> dict[Path, dict[str, Any]]:
    """Host and provider know each other, and the host its relay, before their first lines."""
    host, provider = (resources.extension_dir(name) for name in ("host", "provider"))
    relay = {"enabled": True, "host": "127.0.0.1", "ports": [ports[0], ports[-1]]}
    setup = ProviderSetup.load(provider / SETUP_FILE)
    return {
        host: {RELAY_SETTINGS_KEY: relay, PROVIDERS_KEY: [unpacked_id(provider)]},
        provider: setup.storage("open", [unpacked_id(host)]),
    }


def _watch(page: Page, hops: Hops, wish: Wish) -> None:
    def write(line: str) -> None:
        print(line, flush=True)

    live = LiveHops(hops.recording, wish.words, write, colour=sys.stdout.isatty())
    while not page.is_closed():
        rest = live.show() if hops.active else 500.0
        try:
            page.wait_for_timeout(rest)
        except Error:
            return  # closed while we waited
