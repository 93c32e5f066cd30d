"""Coroutines from tests that may share their thread with Playwright's own running loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
_BOUND_S = 60.0


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """The coroutine's result, from a loop in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result(_BOUND_S)
