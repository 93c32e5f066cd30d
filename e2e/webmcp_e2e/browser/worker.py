"""An extension's service worker: its life as Chromium reports it, and the ways to end it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final, Literal

from .errors import EvaluationFailed, HarnessTimeout, WorkerStopped
from .targets import Attachment, AttachReason, WorkerLife, WorkerStatus

if TYPE_CHECKING:
    from .extension import Extension
    from .gate import Gate

RecycleMode = Literal["stop", "idle", "reload", "restart"]
"""``stop``: forced, as DevTools' Stop · ``idle``: the natural end after 30 s without an event · ``reload``: the
extension is reloaded · ``restart``: the browser is closed and started again on the same profile."""

_START_SECONDS: Final = 10.0
_STOP_SECONDS: Final = 10.0
_IDLE_SECONDS: Final = 45.0

_ACTIVATED: Final = """async () => {
  const worker = self.serviceWorker;
  if (!worker) return false;
  while (worker.state !== "activated") {
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
  }
  await chrome.runtime.getPlatformInfo();
  return true;
}"""
"""Before its first line a worker has no ``serviceWorker`` yet, nor any timer to wait with: it is asked again. The API
call at the end comes back after the events that Chromium had in store for the worker."""
_ASK_AGAIN_SECONDS: Final = 0.02


class Worker:
    """One extension's service worker. No debugger is attached to it except while ``evaluate`` runs."""

    def __init__(self, extension: Extension) -> None:
        self._extension = extension

    @property
    def status(self) -> WorkerStatus:
        """``"running"``, ``"starting"`` (before its first line) or ``"stopped"``."""
        return self._life.status

    @property
    def generation(self) -> int:
        """How often the worker has started, over reloads and restarts; 1 is the first."""
        return self._life.generation

    @property
    def debugger_attached(self) -> bool:
        """Whether any debugger is attached to the worker now: Chromium's own answer, not our book-keeping."""
        found = self._extension.browser.cdp("Target.getTargets", {"filter": [{}]})
        target_id = self._life.target_id
        return any(info["attached"] for info in found["targetInfos"] if info["targetId"] == target_id)

    @property
    def attach_log(self) -> tuple[Attachment, ...]:
        """Every attachment to this worker so far: why, from when, until when."""
        return tuple(self._life.attachments)

    def evaluate(self, js: str, arg: Any = None, timeout: float = 10.0) -> Any:
        """The JSON value of an expression, or of a function called with ``arg``; promises are awaited.

        Attaches for that moment only. Raises ``WorkerStopped`` (it wakes nothing), ``EvaluationFailed``,
        ``HarnessTimeout``.
        """
        running = self._extension.browser.running
        return running.run(_evaluate(running.gate, self._life, js, arg, timeout), timeout + _STOP_SECONDS)

    def stop(self) -> None:
        """Stops the worker at once and waits until it is gone; a stopped worker stays as it is."""
        running = self._extension.browser.running
        running.run(_stop(running.gate, self._life), 2 * _STOP_SECONDS)

    def wait_idle(self, timeout: float = _IDLE_SECONDS) -> None:
        """Waits until the worker has stopped by itself (30 s after its last event), untouched by us."""
        self._wait(lambda: self._life.status == "stopped", timeout, "the worker did not stop by itself")

    def wait_running(self, timeout: float = 10.0) -> None:
        """Waits until the worker runs; something else has to wake it."""
        self._wait(lambda: self._life.status == "running", timeout, "the worker did not start")

    def recycle(self, mode: RecycleMode) -> None:
        """Ends the present worker in one of the four ways, and proves by target events that it ended.

        After ``stop`` and ``idle`` the next event starts a new one; after ``reload`` and ``restart`` one runs
        (after ``restart`` only where the extension listens to ``runtime.onStartup``).
        Raises ``WorkerStopped`` when there is no worker to end by ``stop`` or ``idle``.
        """
        if mode == "reload":
            self._extension.reload()
        elif mode == "restart":
            self._extension.browser.restart()
        else:
            self._end_by(mode)

    def _end_by(self, mode: Literal["stop", "idle"]) -> None:
        target_id = self._life.target_id
        if target_id is None:
            raise WorkerStopped("there is no worker to recycle: it has stopped. Wake it first, by an event.")
        if mode == "stop":
            self.stop()
        else:
            self._wait(
                lambda: self._life.target_id != target_id, _IDLE_SECONDS, "the worker did not idle out"
            )

    def _wait(self, condition: Any, timeout: float, what: str) -> None:
        running = self._extension.browser.running
        running.run(running.gate.book.wait_for(condition, timeout, what), timeout + _STOP_SECONDS)

    @property
    def _life(self) -> WorkerLife:
        return self._extension.life


async def _evaluate(
    gate: Gate, life: WorkerLife, js: str, arg: Any, timeout: float, reason: AttachReason = "evaluate"
) -> Any:
    target_id = await _running_target(gate, life, timeout)
    session_id = await gate.attach(target_id, timeout)
    life.attached(reason, session_id)
    params = {"expression": _expression(js, arg), "awaitPromise": True, "returnByValue": True}
    try:
        answer = await gate.command("Runtime.evaluate", params, session_id=session_id, timeout=timeout)
    except HarnessTimeout:
        raise HarnessTimeout(f"the worker did not answer within {timeout:g} s: {js[:200]}") from None
    finally:
        await gate.detach(session_id)
    return _value(answer)


async def runs(gate: Gate, life: WorkerLife, subject: str, timeout: float = _START_SECONDS) -> None:
    """Waits until the worker runs."""
    what = f"the service worker of {subject} did not start (chrome://extensions says why)"
    await gate.book.wait_for(lambda: life.status == "running", timeout, what)


async def settle(gate: Gate, life: WorkerLife, subject: str, timeout: float = _START_SECONDS) -> None:
    """Waits until a fresh install, reload or restart is over: the worker runs, is activated, has its first event.

    A worker that is stopped earlier is started again by Chromium for the event that it missed, or misses it.
    """
    await runs(gate, life, subject, timeout)
    async with asyncio.timeout(timeout):
        while not await _evaluate(gate, life, _ACTIVATED, None, timeout, "settle"):
            await asyncio.sleep(_ASK_AGAIN_SECONDS)


async def _running_target(gate: Gate, life: WorkerLife, timeout: float) -> str:
    if life.status == "starting":
        await gate.book.wait_for(lambda: life.status != "starting", timeout, "the worker did not start")
    if life.target_id is None:
        raise WorkerStopped(
            "the service worker is stopped, and evaluating does not wake it. Wake it first by an event "
            "(a message, an alarm, the action), then `worker.wait_running()`."
        )
    return life.target_id


def _expression(js: str, arg: Any) -> str:
    """The text as an expression whose value, if it is a function, is called."""
    return (
        f"(async () => {{ const subject = (\n{js}\n); "
        f"return typeof subject === 'function' ? await subject({json.dumps(arg)}) : await subject; }})()"
    )


def _value(answer: dict[str, Any]) -> Any:
    details = answer.get("exceptionDetails")
    if details is not None:
        exception = details.get("exception", {})
        raise EvaluationFailed(str(exception.get("description") or exception.get("value") or details["text"]))
    return answer["result"].get("value")


async def _stop(gate: Gate, life: WorkerLife) -> None:
    target_id = life.target_id
    if target_id is None:
        return
    await gate.command("Target.closeTarget", {"targetId": target_id})
    await gate.book.wait_for(lambda: life.target_id != target_id, _STOP_SECONDS, "the worker did not stop")
