"""One browser for many small tests: ``@pytest.mark.webmcp_shared_browser``.

A launch costs about one CPU-second. Marked tests take turns with one browser, file after file, as long as they launch
it alike. After each test the browser is reset: the extensions are removed, which ends their workers, panels, sockets
and storage, every page but a blank one is closed; routes, cookies and permissions are taken back. A browser whose
test failed, or that was restarted or died, or has served long, is not used again. What a context keeps for ever
(``context.add_init_script``, ``expose_binding``) stays: tests that use these want a browser of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Final

from playwright.sync_api import BrowserContext, Error

from webmcp_e2e.browser import ExtensionBrowser, HarnessError
from webmcp_e2e.waiting import WaitTimeout, wait_until

MARK = "webmcp_shared_browser"
_WAIT: Final = 2.0
MOST_TESTS: Final = 40
"""After so many tests a browser is replaced, so that what Chromium piles up stays small."""


class SharedBrowsers:
    """The browsers of one run, at most one for each way of launching it."""

    def __init__(self) -> None:
        self._served: Counter[ExtensionBrowser] = Counter()
        self._browsers: dict[Hashable, ExtensionBrowser] = {}
        self._contexts: dict[ExtensionBrowser, BrowserContext] = {}

    def take(self, key: Hashable, launch: Callable[[], ExtensionBrowser]) -> ExtensionBrowser:
        """The browser launched with ``key``, clean; launched now if there is none."""
        browser = self._browsers.pop(key, None)
        if browser is not None and not _lives(browser):
            self._let_go(
                browser
            )  # it died after its reset: Chromium 156 may, when a page with native tools is left
            browser = None
        if browser is None:
            browser = launch()
            self._contexts[browser] = browser.context
        return browser

    def give_back(self, key: Hashable, browser: ExtensionBrowser, *, clean: bool) -> None:
        """Keep the browser for the next test, unless this one left it in doubt."""
        self._served[browser] += 1
        if clean and self._as_launched(browser) and _is_reset(browser):
            self._browsers[key] = browser
            return
        self._let_go(browser)

    def _let_go(self, browser: ExtensionBrowser) -> None:
        del self._contexts[browser]
        del self._served[browser]
        browser.close()

    def _as_launched(self, browser: ExtensionBrowser) -> bool:
        same = browser.failure is None and browser.context is self._contexts[browser]
        return same and self._served[browser] < MOST_TESTS

    def close(self) -> None:
        """Close all; idempotent."""
        while self._browsers:
            self._browsers.popitem()[1].close()


def _lives(browser: ExtensionBrowser) -> bool:
    """Asked, not read: that a browser has just died is known only when its pipe has been read to the end."""
    try:
        browser.cdp("Browser.getVersion")
    except HarnessError:
        return False
    return True


def _is_reset(browser: ExtensionBrowser) -> bool:
    try:
        reset(browser)
    except (HarnessError, Error, WaitTimeout):
        return False
    return True


def reset(browser: ExtensionBrowser) -> None:
    """No extension, no panel, no routes, cookies or permissions, one blank page."""
    while browser.outlasting:
        browser.outlasting.pop()()
    for extension in list(browser.extensions.values()):
        browser.unload_extension(extension)
    browser.panels.clear()
    context = browser.context
    context.unroute_all(behavior="ignoreErrors")
    context.clear_cookies()
    context.clear_permissions()
    kept = context.new_page()
    for page in context.pages:
        if page is not kept and not page.is_closed():
            page.close()
    wait_until(lambda: _tabs(browser) == 1, "one tab in a browser that was reset", timeout=_WAIT)


def _tabs(browser: ExtensionBrowser) -> int:
    """How many there are. A discarded tab is no page of Playwright's, and becomes one once it is in front."""
    return len(browser.cdp("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"])
