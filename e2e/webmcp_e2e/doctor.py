"""``webmcp-e2e doctor``: what the harness needs, whether it is here, and the mend."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from webmcp_e2e import __version__, resources
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.services.ports import NoFreePorts, port_range

Finding = tuple[str, str, str | None]
"""What was looked at, what was found, and the mend where it is wrong."""


def _platform() -> Finding:
    system = platform.system()
    mend = None
    if system == "Windows":
        mend = "Run it in WSL: Chromium is driven over POSIX pipes."
    return "platform", f"{system} {platform.machine()}, Python {platform.python_version()}", mend


def _chromium(explicit: Path | None) -> Finding:
    from webmcp_e2e.browser import ChromiumNotFound, find_chromium

    try:
        binary = find_chromium(explicit)
    except ChromiumNotFound as error:
        return "chromium", "none", str(error)
    return "chromium", f"{binary.version} at {binary.path}", None


def _starts(explicit: Path | None) -> Finding:
    """Really start it: a binary that is there may still lack a library or a sandbox."""
    from playwright.sync_api import sync_playwright

    from webmcp_e2e.browser import ExtensionBrowser, HarnessError, find_chromium

    try:
        with sync_playwright() as playwright:
            browser = ExtensionBrowser.launch(playwright, binary=find_chromium(explicit))
            try:
                quiet = {RELAY_SETTINGS_KEY: {"enabled": False}}  # A person's own relay is left alone.
                extension = browser.load_extension(resources.extension_dir("host"), local_storage=quiet)
                return "extension", f"{extension.name} {extension.version} loads, id {extension.id}", None
            finally:
                browser.close()
    except (HarnessError, resources.ResourceMissing) as error:
        return "extension", "does not load", str(error)


def _ports() -> Finding:
    try:
        with port_range() as ports:
            return "ports", f"free loopback ports, e.g. {ports[0]}-{ports[-1]}", None
    except NoFreePorts as error:
        return "ports", "none free", str(error)


def findings(chromium: Path | None) -> Iterator[Finding]:
    """Everything looked at, in order; starting the browser only where one was found."""
    checks: list[Callable[[], Finding]] = [_platform, _ports, lambda: _chromium(chromium)]
    broken = False
    for check in checks:
        finding = check()
        broken = broken or finding[2] is not None
        yield finding
    if not broken:
        yield _starts(chromium)


def report(chromium: Path | None) -> int:
    """Print the findings; exit code 0 when nothing is wrong, 3 otherwise."""
    wrong = False
    print(f"webmcp-e2e {__version__} ({Path(sys.executable)})")
    for what, found, mend in findings(chromium):
        print(f"{'wrong' if mend else 'ok':>6}  {what:<10} {found}")
        if mend:
            wrong = True
            print(f"{'':>6}  {'':<10} mend: {mend}")
    return 3 if wrong else 0
