"""A page under test as a command line names it: its URL, or an HTML file, whose folder is then served."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .html_app import HtmlApp


class PageTargetError(ValueError):
    """It is neither; the message says what to give."""

    code = "no_page"


def check_page_target(target: str) -> None:
    """Raises ``PageTargetError``."""
    if not _is_url(target) and not Path(target).is_file():
        raise PageTargetError(
            f"{target} is neither a URL nor a file. Give http://… or the HTML file of a page."
        )


@contextmanager
def page_url(target: str) -> Iterator[str]:
    """The page's URL; a file is served until the end. Raises ``PageTargetError``."""
    check_page_target(target)
    if _is_url(target):
        yield target
        return
    path = Path(target)
    with HtmlApp([path.parent]) as app:
        yield app.page(path.name)


def _is_url(target: str) -> bool:
    return target.startswith(("http://", "https://"))
