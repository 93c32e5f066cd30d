"""One running Chromium with its gate: the synchronous side of everything that talks CDP."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from .errors import BrowserClosed, BrowserCrashed, HarnessError
from .gate import EventListener, Gate
from .hook import GateHook
from .loop import LoopThread
from .process import ChromiumProcess, ScratchFolder
from .targets import WorkerLives

T = TypeVar("T")

MakeGate = Callable[[Callable[[], None]], Gate]
"""Makes a gate that calls back when Chromium has closed its end of the pipe."""

_OPEN_SECONDS: Final = 10.0
_EXIT_STATUS_SECONDS: Final = 1.0
_GRACEFUL_SECONDS: Final = 10.0
_REPORT_SECONDS: Final = 5.0
_STDERR_LINES: Final = 5
_NOISE: Final = re.compile(r"/dbus/|:dbus/|crashpad/util/file|on UNIX")
"""What Chromium prints on every machine without a desktop: no cause of anything."""


class RunningChromium:
    """From spawn to the last process of the group gone."""

    def __init__(self, process: ChromiumProcess, stderr_file: Path, make_gate: MakeGate) -> None:
        self.process = process
        self._stderr_file = stderr_file
        self._ending = False
        self._report: asyncio.Task[None] | None = None
        self._loop = LoopThread("webmcp-gate")
        self._loop.run(self._open(make_gate), _OPEN_SECONDS)

    @classmethod
    def start(
        cls,
        argv: Sequence[str],
        scratch: ScratchFolder,
        stderr_file: Path,
        lives: WorkerLives,
        listeners: Sequence[EventListener],
        *,
        observe_workers: bool,
        hang_timeout: float,
        hook: GateHook | None = None,
    ) -> RunningChromium:
        """Spawns Chromium and opens the gate; does not wait until Chromium is up."""

        def make_gate(on_pipe_end: Callable[[], None]) -> Gate:
            return Gate(
                lives,
                listeners,
                on_pipe_end,
                observe_workers=observe_workers,
                hang_timeout=hang_timeout,
                hook=hook,
            )

        return cls(ChromiumProcess.spawn(argv, scratch, stderr_file), stderr_file, make_gate)

    @property
    def failure(self) -> HarnessError | None:
        """Why this Chromium can no longer be used, or none."""
        return self.gate.failure

    def end_reason(self) -> HarnessError | None:
        """Why this Chromium can no longer be used; a crash that is being looked into is waited for."""
        with contextlib.suppress(HarnessError):
            self._loop.run(self._reported(), _REPORT_SECONDS)
        return self.failure

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float) -> T:
        """Runs a coroutine beside the gate. Raises why Chromium has gone, ``HarnessTimeout``, or its own error."""
        if self.failure is not None:
            coroutine.close()
            raise self.failure
        return self._loop.run(coroutine, timeout)

    def start_coroutine(self, coroutine: Coroutine[Any, Any, T], timeout: float) -> Callable[[], T]:
        """Starts a coroutine beside the gate; the returned function waits for its result."""
        future = self._loop.start(coroutine, timeout)
        return lambda: self._loop.finish(future, timeout)

    def call_soon(self, callback: Callable[[], object]) -> None:
        """Runs a callback on the gate's loop."""
        self._loop.call_soon(callback)

    def quit(self) -> None:
        """Closes Chromium as a user does, so that it writes its profile; kills it when it does not go."""
        self._ending = True
        with contextlib.suppress(HarnessError):
            self.run(self.gate.command("Browser.close"), _GRACEFUL_SECONDS)
        self.process.wait(_GRACEFUL_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Ends every process of this Chromium, the gate and its thread; idempotent."""
        self._ending = True
        self.process.kill()
        self._loop.call_soon(self._end_gate)
        self._loop.stop()

    async def _open(self, make_gate: MakeGate) -> None:
        # Known before the pipe is read: a Chromium that ends at once is reported to it.
        self.gate: Gate = make_gate(self._pipe_ended)
        await self.gate.open(self.process.ends.read, self.process.ends.write)

    def _end_gate(self) -> None:
        self.gate.fail(BrowserClosed("this browser is closed. Launch another one."))
        self.gate.close()

    def _pipe_ended(self) -> None:
        if not self._ending:
            self._ending = True
            self._report = asyncio.get_running_loop().create_task(self._report_crash())

    async def _reported(self) -> None:
        if self._report is not None:
            await asyncio.wait([self._report])

    async def _report_crash(self) -> None:
        await asyncio.to_thread(self.process.wait, _EXIT_STATUS_SECONDS)
        reason = self.process.exit_reason()
        await asyncio.to_thread(self.process.kill)
        self.gate.fail(
            BrowserCrashed(
                f"Chromium ended by itself ({reason}). Its last words: {self._last_words() or 'none'}"
            )
        )

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            lines = self._stderr_file.read_text(errors="replace").splitlines()
            telling = [line for line in lines if _NOISE.search(line) is None]
            return " | ".join(telling[-_STDERR_LINES:])
        return ""
