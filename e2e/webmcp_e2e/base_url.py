"""``--base-url`` on the extension's context.

Playwright resolves relative addresses against an option that only ``new_context()`` sets, and the browser's own
context, the one with extensions, is not made by it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import BrowserContext, Page, Response


def _resolve_goto(page: Page, base_url: str) -> None:
    original = page.goto

    def goto(url: str, **options: Any) -> Response | None:
        return original(urljoin(base_url, url), **options)

    page.goto = goto  # type: ignore[method-assign]


def set_base_url(context: BrowserContext, base_url: str | None) -> None:
    """Let ``page.goto``, ``page.wait_for_url`` and ``expect(page).to_have_url`` take relative addresses."""
    if base_url is None:
        return
    context._impl_obj._options["baseURL"] = base_url
    context.on("page", lambda page: _resolve_goto(page, base_url))
    for page in context.pages:
        _resolve_goto(page, base_url)
