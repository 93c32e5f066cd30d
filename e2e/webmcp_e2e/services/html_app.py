"""The page app as a running server: an order desk with tools, and pages that each show one hard case.

Routes and templates are in ``html_routes``, the record of executions in ``journal``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

from aiohttp import web

from .html_routes import Pages, make_application
from .journal import Invocation, InvocationTimeout, Journal, Outcome
from .loopback import LoopbackService

__all__ = ["HtmlApp", "Invocation", "InvocationTimeout", "Outcome"]


class HtmlApp(LoopbackService):
    """The page app on a loopback port of its own; a context manager, or ``start()`` and ``close()``.

    ``static_dirs`` are folders of your own pages: their files stand at the root and win over the app's.
    A module there can ``import {journaled} from "/js/journal.js"`` to have its executions recorded.
    """

    def __init__(self, static_dirs: Sequence[Path] = (), *, port: int = 0) -> None:
        super().__init__(port)
        self._journal = Journal()
        self._pages = Pages(static_dirs)

    def start(self) -> Self:
        """Starts serving; returns itself. Raises OSError where the wanted port is taken."""
        super().start()
        self._pages.cross_origin = self.cross_origin
        return self

    def application(self) -> web.Application:
        """The pages, and the journal's endpoint."""
        return make_application(self._journal, self._pages)

    @property
    def cross_origin(self) -> str:
        """The same pages under another origin (and another site)."""
        return f"http://localhost:{self.port}"

    @property
    def url(self) -> str:
        """The order desk."""
        return f"{self.origin}/"

    def page(self, path: str = "", **query: str | int) -> str:
        """Address of a page: ``page("late.html", after=50)``; ``page(lab="")`` is the desk with its lab."""
        return f"{self.url}{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")

    @property
    def invocations(self) -> list[Invocation]:
        """Every execution of a tool since the start or the last ``clear()``, in order.

        A page's tool reports before it does anything, and waits for the answer: a caller that has the result
        finds the execution here.
        """
        return self._journal.invocations

    def wait_for_invocations(self, count: int, timeout: float = 5.0) -> list[Invocation]:
        """Waits until at least ``count`` executions have begun; returns all. Raises InvocationTimeout."""
        return self._journal.wait_until(lambda seen: len(seen) >= count, f"{count} executions", timeout)

    def wait_for_outcome(self, seq: int, outcome: Outcome, timeout: float = 5.0) -> Invocation:
        """Waits until execution number ``seq`` has that outcome; returns it. Raises InvocationTimeout."""
        done = self._journal.wait_until(
            lambda seen: len(seen) >= seq and seen[seq - 1].outcome == outcome,
            f"execution {seq} becoming {outcome}",
            timeout,
        )
        return done[seq - 1]

    def clear(self) -> None:
        """Forgets the executions so far."""
        self._journal.clear()
