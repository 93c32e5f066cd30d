"""The first screen of a timeline, as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from webmcp_e2e.browser import find_chromium

_SIZE: ViewportSize = {"width": 1200, "height": 640}


@contextmanager
def camera() -> Iterator[Page]:
    """A page of a headless browser that needs no extension."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium().path, args=["--no-sandbox"], chromium_sandbox=False
        )
        try:
            yield browser.new_page(viewport=_SIZE, color_scheme="light")
        finally:
            browser.close()


def take(page: Page, timeline: Path, picture: Path) -> None:
    """Open a bundle's ``timeline.html`` and write what a reader sees first."""
    page.goto(timeline.resolve().as_uri())
    page.locator("#title").filter(has_text="::").wait_for()
    picture.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=picture)
