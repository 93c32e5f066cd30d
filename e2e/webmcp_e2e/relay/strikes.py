"""Counts what a socket sends that no one understands; too much of it closes the socket."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

STRIKE_LIMIT: Final = 100
STRIKE_WINDOW_S: Final = 60.0


class Strikes:
    """Bad frames of one socket in the last minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=STRIKE_LIMIT)

    def strike(self) -> bool:
        """One more; `True` when that was the hundredth within a minute."""
        now = self._clock()
        self._times.append(now)
        return len(self._times) == STRIKE_LIMIT and now - self._times[0] <= STRIKE_WINDOW_S
