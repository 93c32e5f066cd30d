"""pytest run by a program: Ctrl-C comes out as Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


class _Watch:
    interrupted = False

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        # pytest's own interruptions (a file that cannot be read) are of a subclass.
        self.interrupted = type(excinfo.value) is KeyboardInterrupt


def run_pytest(arguments: list[str], plugins: Sequence[Any]) -> int:
    """``pytest.main``. Raises ``KeyboardInterrupt`` where a person interrupted it, after fixtures have been ended."""
    watch = _Watch()
    try:
        code = int(pytest.main(arguments, plugins=[*plugins, watch]))
    except Exception:
        # Its fixture tmp_path stumbles at the end of a test that was interrupted in its set-up.
        if not watch.interrupted:
            raise
    else:
        if not watch.interrupted:
            return code
    raise KeyboardInterrupt
