"""Waiting on a condition, bounded: the only way in which the harness and its scenarios wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_STEP_S = 0.02


class WaitTimeout(AssertionError):
    """A condition did not come true in time; the message says which, and what was seen last."""


def wait_until(
    condition: Callable[[], T],
    what: str,
    *,
    timeout: float = 15.0,
    step: float = _STEP_S,
    pump: Callable[[float], object] = time.sleep,
) -> T:
    """Call ``condition`` until it returns something true, and return that.

    Args:
        condition: asked every ``step`` seconds; an exception of it counts as "not yet".
        what: the condition in words, for the error.
        timeout: seconds.
        pump: waits ``step`` seconds between two questions; ``page.wait_for_timeout`` with milliseconds
            would keep Playwright's own events flowing meanwhile.

    Raises:
        WaitTimeout: with the last value or exception seen.
    """
    deadline = time.monotonic() + timeout
    seen: object = None
    while True:
        try:
            value = condition()
        except Exception as error:
            seen = error
        else:
            if value:
                return value
            seen = value
        if time.monotonic() >= deadline:
            raise WaitTimeout(f"waited {timeout:g} s for: {what}. Last seen: {seen!r}")
        pump(step)
