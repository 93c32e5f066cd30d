"""What Chromium has told about its targets, and the lives of the extensions' service workers.

Lives on the gate's loop; other threads may read single values.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from .cdp import CdpEvent
from .errors import HarnessError, HarnessTimeout

EXTENSION_SCHEME: Final = "chrome-extension"
WORKER: Final = "service_worker"

WorkerStatus = Literal["running", "starting", "stopped"]
"""``starting``: the worker exists, and Chromium still holds it before its first line."""

AttachReason = Literal["start", "settle", "evaluate", "observe"]
"""Why a debugger was attached: ``start``: Chromium attaches to every new worker, the gate lets it go · ``settle``:
to see that a load, reload or restart is over · ``evaluate``: ``Worker.evaluate`` · ``observe``: asked for."""


@dataclass
class Attachment:
    """One attachment of a debugger to a worker: why, when (``time.monotonic()``), until when."""

    reason: AttachReason
    session_id: str
    since: float
    until: float | None = None


@dataclass
class WorkerLife:
    """The starts and stops of one extension's worker, over reloads and restarts of the browser."""

    generation: int = 0
    target_id: str | None = None
    released: bool = False
    held_by: str = ""
    attachments: list[Attachment] = field(default_factory=list)

    @property
    def status(self) -> WorkerStatus:
        """See ``WorkerStatus``."""
        if self.target_id is None:
            return "stopped"
        return "running" if self.released else "starting"

    def attached(self, reason: AttachReason, session_id: str) -> None:
        """Notes an attachment."""
        self.attachments.append(Attachment(reason, session_id, time.monotonic()))

    def detached(self, session_id: str) -> None:
        """Notes its end."""
        for attachment in self.attachments:
            if attachment.session_id == session_id and attachment.until is None:
                attachment.until = time.monotonic()


class WorkerLives:
    """The lives of all extensions' workers, by extension id; outlives the single Chromium process."""

    def __init__(self) -> None:
        self._by_extension: dict[str, WorkerLife] = {}

    def of(self, extension_id: str) -> WorkerLife:
        """The life of this extension's worker; one that never started when nothing is known."""
        return self._by_extension.setdefault(extension_id, WorkerLife())

    def forget(self, extension_id: str) -> None:
        """The extension has been removed; the next of this id starts from nothing."""
        self._by_extension.pop(extension_id, None)

    def generations(self) -> dict[str, int]:
        """How often each known extension's worker has started so far."""
        return {extension_id: life.generation for extension_id, life in self._by_extension.items()}

    def created(self, info: dict[str, Any]) -> None:
        """A worker has started; Chromium holds it before its first line until the gate lets it go."""
        life = self.of(extension_of(info["url"]))
        if life.target_id == info["targetId"]:
            return
        life.generation += 1
        life.target_id = info["targetId"]
        life.released = False
        life.held_by = ""

    def released(self, info: dict[str, Any]) -> None:
        """The worker has been let go and runs."""
        life = self.of(extension_of(info["url"]))
        if life.target_id == info["targetId"]:
            life.released = True

    def detached(self, session_id: str) -> None:
        """An attachment, if it was one to a worker, has ended."""
        for life in self._by_extension.values():
            life.detached(session_id)

    def destroyed(self, target_id: str) -> None:
        """A target has gone; if it was a worker, that worker has stopped."""
        for life in self._by_extension.values():
            if life.target_id == target_id:
                life.target_id = None
                life.released = False

    def all_gone(self) -> None:
        """Chromium has ended, and every worker with it."""
        for life in self._by_extension.values():
            life.target_id = None
            life.released = False


class TargetBook:
    """The present targets, and bounded waits for something to become true of them."""

    def __init__(self) -> None:
        self.infos: dict[str, dict[str, Any]] = {}
        self._waiters: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    def apply(self, event: CdpEvent) -> None:
        """Takes in ``targetCreated``, ``targetInfoChanged`` and ``targetDestroyed``."""
        if event.method == "Target.targetDestroyed":
            self.infos.pop(event.params["targetId"], None)
        elif "targetInfo" in event.params:
            info = event.params["targetInfo"]
            self.infos[info["targetId"]] = info

    def changed(self) -> None:
        """Wakes every wait whose condition holds now."""
        for condition, future in self._waiters:
            if not future.done() and condition():
                future.set_result(None)

    def fail(self, error: HarnessError) -> None:
        """Ends every wait: Chromium or the gate has gone."""
        for _, future in self._waiters:
            if not future.done():
                future.set_exception(error)

    async def wait_for(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        """Waits until ``condition`` holds. Raises ``HarnessTimeout``, saying ``what`` did not come."""
        if condition():
            return
        waiter = (condition, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        try:
            await asyncio.wait_for(waiter[1], timeout)
        except TimeoutError:
            raise HarnessTimeout(f"{what} within {timeout:g} s.") from None
        finally:
            self._waiters.remove(waiter)


def extension_of(url: str) -> str:
    """The id of the extension that a URL belongs to, empty for other URLs."""
    parts = urlsplit(url)
    return parts.netloc if parts.scheme == EXTENSION_SCHEME else ""


def is_worker(info: dict[str, Any]) -> bool:
    """Whether a target is a service worker."""
    return bool(info["type"] == WORKER)
