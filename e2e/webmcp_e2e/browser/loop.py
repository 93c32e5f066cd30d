"""An asyncio loop in a thread of its own, so that the gate runs while the test thread sits in a Playwright call."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, Final, TypeVar

from .errors import BrowserClosed, HarnessTimeout

T = TypeVar("T")

_GRACE: Final = 2.0
"""Seconds the calling thread waits longer than the coroutine's own bound, which gives the better message."""


class LoopThread:
    """Runs coroutines for a synchronous caller; every call is bounded."""

    def __init__(self, name: str) -> None:
        self._loop = _new_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float) -> T:
        """The coroutine's result. Raises ``HarnessTimeout`` when it is not there after ``timeout`` seconds."""
        return self.finish(self.start(coroutine, timeout), timeout)

    def start(self, coroutine: Coroutine[Any, Any, T], timeout: float) -> Future[T]:
        """Starts a coroutine, bounded by ``timeout``, for ``finish`` to wait for."""
        if not self._thread.is_alive():
            coroutine.close()
            raise BrowserClosed("this browser is closed. Launch another one.")
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(coroutine, timeout), self._loop)

    def finish(self, future: Future[T], timeout: float) -> T:
        """The result of what ``start`` has started."""
        try:
            return future.result(timeout + _GRACE)
        except TimeoutError:
            future.cancel()
            raise HarnessTimeout(f"no answer within {timeout:g} s. Look at Chromium's stderr file.") from None
        except CancelledError:
            raise BrowserClosed("this browser was closed meanwhile. Launch another one.") from None

    def call_soon(self, callback: Callable[[], object]) -> None:
        """Runs ``callback`` on the loop; does nothing when the loop has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(callback)

    def stop(self) -> None:
        """Cancels what still runs and ends the thread; idempotent."""
        if self._thread.is_alive():
            self.call_soon(self._cancel_all)
            self._thread.join(_GRACE)
        if not self._thread.is_alive() and not self._loop.is_closed():
            self._loop.close()

    def _cancel_all(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.call_soon(self._loop.stop)


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
