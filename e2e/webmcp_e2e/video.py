"""``--video`` on the extension's context, by Playwright's screencast.

pytest-playwright records only contexts that it makes itself. Recording needs the ffmpeg that Playwright
downloads; where it is missing there is one warning and no video.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, Page


class VideoUnavailable(UserWarning):
    """No video of this run; the message says what is missing."""


_warned: list[str] = []


def _warn_once(error: Error) -> None:
    if not _warned:
        _warned.append(str(error))
        warnings.warn(
            f"--video: no recording ({str(error).splitlines()[0]}). "
            "`playwright install ffmpeg` brings what is missing.",
            VideoUnavailable,
            stacklevel=2,
        )


@contextmanager
def record_video(config: pytest.Config, context: BrowserContext, folder: Path) -> Iterator[None]:
    """Record every page of ``context`` that is open or opens in the block, if ``--video`` asks for it."""
    if config.getoption("--video") == "off":
        yield
        return
    recorded: list[tuple[Page, Path]] = []

    def start(page: Page) -> None:
        path = folder / f"video-{len(recorded) + 1}.webm"
        try:
            page.screencast.start(path=path)
        except Error as error:
            _warn_once(error)
        else:
            recorded.append((page, path))

    context.on("page", start)
    for page in context.pages:
        start(page)
    yield
    context.remove_listener("page", start)
    for page, _ in recorded:
        if not page.is_closed():
            page.screencast.stop()
