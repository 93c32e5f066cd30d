"""Ping and pong of one source: a browser that is silent for too long is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from webmcp_e2e.relay.timings import Timings


class Heartbeat:
    """Calls `ping` at each interval, and `dead` once no pong came for too long.

    Args:
        timings: ``heartbeatPing`` and ``heartbeatDead`` are used.
    """

    def __init__(self, timings: Timings, ping: Callable[[], None], dead: Callable[[], None]) -> None:
        self._interval = timings.seconds("heartbeatPing")
        self._limit = timings.seconds("heartbeatDead")
        self._ping = ping
        self._dead = dead
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        self._next_ping = self._loop.call_later(self._interval, self._tick)
        self._next_check = self._loop.call_later(self._limit, self._check)

    def pong(self) -> None:
        """The source answered."""
        self._heard = self._loop.time()

    def stop(self) -> None:
        """The socket is gone."""
        self._next_ping.cancel()
        self._next_check.cancel()

    def _tick(self) -> None:
        self._next_ping = self._loop.call_later(self._interval, self._tick)
        self._ping()

    def _check(self) -> None:
        if self._loop.time() >= self._heard + self._limit:
            self.stop()
            self._dead()
        else:
            self._next_check = self._loop.call_at(self._heard + self._limit, self._check)
