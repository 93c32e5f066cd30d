"""One browser for many small tests of a file: ``@pytest.mark.webmcp_shared_browser``.

A launch costs about one CPU-second. After each test the browser is reset: the extensions are removed, which ends
their workers, panels, sockets and storage, every page but a blank one is closed, and routes are taken back. A browser
whose test failed, or that was restarted or died, is not used again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from playwright.sync_api import BrowserContext, Error

from webmcp_e2e.browser import ExtensionBrowser, HarnessError

MARK = "webmcp_shared_browser"


class SharedBrowsers:
    """The browsers of one test file, at most one for each way of launching it."""

    def __init__(self) -> None:
        self._browsers: dict[Hashable, ExtensionBrowser] = {}
        self._contexts: dict[ExtensionBrowser, BrowserContext] = {}

    def take(self, key: Hashable, launch: Callable[[], ExtensionBrowser]) -> ExtensionBrowser:
        """The browser launched with ``key``, clean; launched now if there is none."""
        browser = self._browsers.pop(key, None)
        if browser is None:
            browser = launch()
            self._contexts[browser] = browser.context
        return browser

    def give_back(self, key: Hashable, browser: ExtensionBrowser, *, clean: bool) -> None:
        """Keep the browser for the next test, unless this one left it in doubt."""
        context = self._contexts[browser]
        if clean and browser.failure is None and browser.context is context and _is_reset(browser):
            self._browsers[key] = browser
        else:
            del self._contexts[browser]
            browser.close()

    def close(self) -> None:
        """Close all; idempotent."""
        while self._browsers:
            self._browsers.popitem()[1].close()


def _is_reset(browser: ExtensionBrowser) -> bool:
    try:
        reset(browser)
    except (HarnessError, Error):
        return False
    return True


def reset(browser: ExtensionBrowser) -> None:
    """No extension, no panel, no routes, one blank page."""
    for extension in list(browser.extensions.values()):
        browser.unload_extension(extension)
    browser.panels.clear()
    context = browser.context
    context.unroute_all(behavior="ignoreErrors")
    kept = context.new_page()
    for page in context.pages:
        if page is not kept and not page.is_closed():
            page.close()
