"""What the page app's tools did: every execution, in the order in which the server heard of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

Outcome = Literal["running", "finished", "failed", "aborted"]
"""How an execution ended; ``running`` as long as its page has said nothing."""


class InvocationTimeout(TimeoutError):
    """The page did not do in time what was waited for; the message says what it did instead."""

    code = "timeout"


@dataclass(frozen=True)
class Invocation:
    """One execution of a page's tool.

    ``frame`` is ``"top"`` or the path of the frame's document, ``url`` the document's, ``seq`` counts from 1.
    """

    seq: int
    tool: str
    args: Any
    frame: str
    url: str
    outcome: Outcome = "running"


class Journal:
    """Invocations, written by the server's thread and read by the test's."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._by_id: dict[str, Invocation] = {}

    def begin(self, run_id: str, record: dict[str, Any]) -> None:
        """Notes a beginning execution. A ``run_id`` seen before is ignored: a resent request is none."""
        with self._changed:
            if run_id in self._by_id:
                return
            self._by_id[run_id] = Invocation(
                seq=len(self._by_id) + 1,
                tool=str(record.get("tool", "")),
                args=record.get("args"),
                frame=str(record.get("frame", "top")),
                url=str(record.get("url", "")),
            )
            self._changed.notify_all()

    def end(self, run_id: str, outcome: str) -> None:
        """Notes how an execution ended; unknown runs (from before a ``clear``) and outcomes are ignored."""
        with self._changed:
            known = self._by_id.get(run_id)
            if known is None or outcome not in get_args(Outcome):
                return
            self._by_id[run_id] = replace(known, outcome=cast(Outcome, outcome))
            self._changed.notify_all()

    def clear(self) -> None:
        """Forgets everything."""
        with self._changed:
            self._by_id.clear()

    @property
    def invocations(self) -> list[Invocation]:
        """All executions so far, oldest first."""
        with self._changed:
            return list(self._by_id.values())

    def wait_until(
        self, done: Callable[[list[Invocation]], bool], what: str, timeout: float
    ) -> list[Invocation]:
        """Waits at most ``timeout`` seconds until ``done(invocations)``; returns them.

        Raises InvocationTimeout.
        """
        with self._changed:
            if self._changed.wait_for(lambda: done(list(self._by_id.values())), timeout):
                return list(self._by_id.values())
            seen = [f"{one.seq} {one.tool} {one.outcome}" for one in self._by_id.values()]
        raise InvocationTimeout(
            f"{what} did not happen within {timeout} s. The page's executions so far: {seen or 'none'}. "
            "Look at the page's console, or give a longer timeout."
        )
