"""What the project's own scenarios share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webmcp_e2e.browser import ChromiumBinary, find_chromium, second_chromium


@pytest.fixture(scope="session")
def chromium_150() -> ChromiumBinary:
    """Chromium 150, the other generation of the native API; fetched by ``make e2e`` where it can be had."""
    path = second_chromium.find()
    if path is not None:
        return find_chromium(path)
    missing = "Chromium 150 is not here and could not be fetched; `make browsers` says why"
    if os.environ.get("WEBMCP_REQUIRE_CHROMIUM_150"):
        pytest.fail(missing)
    pytest.skip(missing)


OWN_BROWSER = {
    "bugs": "a report is reproduced in a browser that nobody has used",
    "hops": "taps are there from a browser's first moment",
    "security": "what a browser leaves behind is looked at",
    "recycle/test_full_length.py": "natural idling, with nothing before it",
    "recycle/test_modes.py": "restarts",
    "recycle/test_unobserved.py": "who was ever attached is asked",
    "host/test_idle.py": "natural idling, with nothing before it",
    "host/test_pytest_playwright.py": "options that act on a whole browser",
    "side_panel/test_real_panel.py": "init scripts stay in a context for ever",
}
"""Folders and files whose scenarios have a browser of their own, and why; all others take turns with one."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits longest begins first, so that no worker is left alone with it at the end of a run."""
    here = Path(__file__).parent
    gone = [place for place in OWN_BROWSER if not (here / place).exists()]
    if gone:
        raise pytest.UsageError(f"OWN_BROWSER names what is not there: {gone}. Mend the names in {__file__}.")
    items.sort(key=lambda item: item.get_closest_marker("idling") is None)
    for item in items:
        place = item.path.relative_to(here)
        if not OWN_BROWSER.keys() & {place.as_posix(), place.parts[0]}:
            item.add_marker(pytest.mark.webmcp_shared_browser)
