"""What ``doctor`` sees only in a browser that runs: a binary that is there may still lack a library or a sandbox."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from webmcp_e2e import resources
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.doctor_checks import OLDEST_CHROMIUM, Finding, note, ok, wrong

if TYPE_CHECKING:
    from webmcp_e2e.browser import ExtensionBrowser

_QUIET = {RELAY_SETTINGS_KEY: {"enabled": False}}
"""A person's own relay is left alone."""


def start(chromium: Path | None) -> Iterator[Finding]:
    """Start it as a test does: the extension loads, its panel opens, the page has WebMCP."""
    from playwright.sync_api import Error, sync_playwright

    from webmcp_e2e.browser import ExtensionBrowser, HarnessError, find_chromium

    try:
        with sync_playwright() as playwright:
            browser = ExtensionBrowser.launch(playwright, binary=find_chromium(chromium))
            try:
                yield from _look(browser)
            finally:
                browser.close()
    except (HarnessError, Error) as error:
        yield wrong("start", str(error), mend_of(str(error)))


_MENDS: Final = (
    (
        "No usable sandbox|setuid sandbox|userns|Operation not permitted.*namespace",
        "The system forbids user namespaces, which Chromium's sandbox needs. Allow them (on Ubuntu "
        "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`; a container takes --security-opt "
        "seccomp=unconfined), or put --no-sandbox into the fixture webmcp_chromium_args.",
    ),
    (
        "shared librar",
        "Install the system package of that library; `playwright install-deps chromium` as root installs all.",
    ),
    ("No space left", "Make space in the temporary folder, or set TMPDIR to another one."),
    (
        "Too many open files|pthread_create|Resource temporarily",
        "Raise the limits: `ulimit -n 4096 -u 4096`.",
    ),
    (
        "Extensions.loadUnpacked",
        f"This Chromium cannot load extensions over its pipe: take {OLDEST_CHROMIUM} or newer, or one that no "
        "policy forbids extensions.",
    ),
)
"""What Chromium says when it does not start, and the mend."""


def mend_of(said: str) -> str:
    """The mend for what Chromium said."""
    mends = (mend for pattern, mend in _MENDS if re.search(pattern, said))
    return next(mends, "The message says what Chromium said; --webmcp-chromium PATH names another one.")


def _look(browser: ExtensionBrowser) -> Iterator[Finding]:
    from webmcp_e2e.services.html_app import HtmlApp

    extension = browser.load_extension(resources.extension_dir("host"), local_storage=_QUIET)
    yield ok("extension", f"{extension.name} {extension.version} loads, id {extension.id}")
    page = browser.context.pages[0]
    with HtmlApp() as app:
        page.goto(app.url)
        native = page.evaluate("'modelContext' in Document.prototype")
    panel = extension.side_panel(page)
    yield ok("side panel", f"opens, {panel.evaluate('`${innerWidth} × ${innerHeight}`')}")
    if native:
        yield ok("webmcp", "this Chromium has document.modelContext of its own")
    else:
        mend = "--webmcp-runtime polyfill tests without it; Chromium 149 and later have it."
        yield note("webmcp", "this Chromium has no document.modelContext of its own", mend)
