"""The side panel from its document's start to what a person sees first.

Its floor is a panel that shows one word.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.waiting import wait_until

from .results import Result
from .rounds import in_turn, median_of
from .setting import Setting

_OPENINGS = 5

_FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
_ONE_WORD = "<!doctype html><title>floor</title><p>word</p>\n"


@contextmanager
def _opened(setting: Setting, extension: Path) -> Iterator[tuple[Extension, Page]]:
    stderr_file = setting.folder / f"paint-{extension.name}-chromium.log"
    browser = ExtensionBrowser.launch(setting.playwright, binary=setting.binary, stderr_file=stderr_file)
    try:
        host = browser.load_extension(extension, local_storage={RELAY_SETTINGS_KEY: {"enabled": False}})
        page = browser.context.new_page()
        page.goto(setting.app.page(lab="", journal="off"))
        yield host, page
    finally:
        browser.close()


def _one_word_panel(setting: Setting) -> Path:
    """The same extension with a panel that has no script."""
    folder = setting.folder / "one-word"
    shutil.copytree(setting.host, folder, dirs_exist_ok=True)
    (folder / "side-panel/index.html").write_text(_ONE_WORD, encoding="utf-8")
    return folder


def _first_paints(host: Extension, page: Page) -> list[float]:
    """Milliseconds of each opening, the panel closed between them."""
    times: list[float] = []
    for _ in range(_OPENINGS):
        panel = host.side_panel(page)
        painted = wait_until(lambda: panel.evaluate(_FIRST_PAINT), "the panel has painted")  # noqa: B023
        times.append(float(painted or 0))
        host.close_side_panel(page)
    return times


def measure_panel_paint(setting: Setting) -> Iterator[Result]:
    """Milliseconds to the first contentful paint of the real side panel."""
    with (
        _opened(setting, setting.host) as (host, page),
        _opened(setting, _one_word_panel(setting)) as (floor_host, floor_page),
    ):
        samples = in_turn(
            {
                "ours": lambda: _first_paints(host, page),
                "floor": lambda: _first_paints(floor_host, floor_page),
            },
            setting.rounds,
        )
    found = {who: median_of(values) for who, values in samples.items()}
    yield Result("panel_first_paint_ms", found["ours"], "ms", floor_value=found["floor"])
