"""The CDP gate: one owner of Chromium's debugging pipe, which Playwright uses through a private websocket.

Everything passes unread, except what makes the gate worth having: service workers are let go instead of being
observed, the real side panel becomes a Playwright page, and target events give the workers' lives.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, Final

from .announcements import AUTO_ATTACH, AUTO_ATTACH_PARAMS, Announcements
from .calls import PlaywrightCalls
from .cdp import OWN_IDS_FROM, CdpEvent, encode_event, event_method, message_id, parse_event, session_of
from .commands import OwnCommands
from .door import Door
from .errors import CdpError, GateLost, HarnessError
from .hang import SILENCE_EVENTS, HangWatch
from .hidden import HiddenDocuments
from .hook import GateHook
from .pipe import Pipe
from .side_panel import as_page, is_new_panel
from .targets import TargetBook, WorkerLives, extension_of, is_worker

EventListener = Callable[[CdpEvent], None]
"""Called on the gate's thread: must not block, and must not call the browser."""

_DISCOVERY: Final = frozenset({"Target.targetCreated", "Target.targetInfoChanged", "Target.targetDestroyed"})
_CRASHED: Final = "Inspector.targetCrashed"
_RELOADED: Final = "Inspector.targetReloadedAfterCrash"
_READ: Final = (
    _DISCOVERY
    | SILENCE_EVENTS
    | {"Target.attachedToTarget", "Target.detachedFromTarget", _CRASHED, _RELOADED}
)


class Gate:
    """Lives on one event loop, from Chromium's start to its end."""

    def __init__(
        self,
        lives: WorkerLives,
        listeners: Sequence[EventListener],
        on_pipe_end: Callable[[], None],
        *,
        observe_workers: bool,
        hang_timeout: float,
        hook: GateHook | None = None,
    ) -> None:
        self.book = TargetBook()
        self.lives = lives
        self.door = Door(self)
        self.hidden = HiddenDocuments(self._pass_new_document, self._own)
        self._on_pipe_end = on_pipe_end
        self._chromium_gone = False
        self._commands = OwnCommands(self._write)
        self._announcements = Announcements(self.door.send)
        self._calls = PlaywrightCalls(self.door.send)
        self._watch = HangWatch(self, self._calls, hang_timeout)
        self._observe = observe_workers
        self._hook = hook
        self._read = _READ | hook.reads if hook else _READ
        self._listeners = list(listeners)
        self.loading = asyncio.Lock()
        """One load after the other: the end of one would let the workers of the next run too early."""
        self._may_run = asyncio.Event()
        self._may_run.set()
        self._attaching: set[str] = set()
        self._own_sessions: dict[str, CdpEvent] = {}
        self._observed: dict[str, dict[str, Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._pipe: Pipe | None = None

    @property
    def failure(self) -> HarnessError | None:
        """Why nothing more can be asked of Chromium, or none."""
        return self._commands.failure

    async def open(self, read_fd: int, write_fd: int) -> None:
        """Takes Chromium's pipe and opens the door."""
        self._pipe = await Pipe.open(read_fd, write_fd, self._from_chromium, self._pipe_ended)
        if self._hook is not None:
            await self._hook.opened(self)
        self._commands.post("Target.setDiscoverTargets", {"discover": True, "filter": [{}]})
        self._commands.post(AUTO_ATTACH, AUTO_ATTACH_PARAMS)
        await self.door.open()
        if self.failure is not None:  # Chromium was faster at ending than the door at opening
            self.door.close()

    def listen(self, listener: EventListener) -> None:
        """Calls ``listener`` with every event of every session, swallowed ones included."""
        self._listeners.append(listener)

    # ---- the gate's own commands and sessions

    async def command(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        session_id: str = "",
        timeout: float = 10.0,
    ) -> dict[str, Any]:
        """Chromium's result. Raises ``CdpError``, ``HarnessTimeout``, or why Chromium has gone."""
        return await self._commands.send(method, params, session_id, timeout)

    async def attach(self, target_id: str, timeout: float = 10.0) -> str:
        """A session of the gate's own on a target; Playwright does not learn of it."""
        self._attaching.add(target_id)
        try:
            params = {"targetId": target_id, "flatten": True}
            answer = await self.command("Target.attachToTarget", params, timeout=timeout)
        finally:
            self._attaching.discard(target_id)
        return str(answer["sessionId"])

    async def detach(self, session_id: str, parent: str = "") -> None:
        """Ends a session; one that has ended already is no error."""
        with contextlib.suppress(CdpError):
            await self.command("Target.detachFromTarget", {"sessionId": session_id}, session_id=parent)

    def session_on(self, target_id: str) -> str:
        """A session of the gate's own on a target, empty when there is none."""
        owned = ((key, event.params["targetInfo"]["targetId"]) for key, event in self._own_sessions.items())
        return next((session_id for session_id, target in owned if target == target_id), "")

    def children(self, session_id: str) -> set[str]:
        """The targets that Chromium has attached for one of the gate's own sessions."""
        owned = self._own_sessions.values()
        return {event.params["targetInfo"]["targetId"] for event in owned if event.session_id == session_id}

    @contextlib.contextmanager
    def workers_held(self) -> Iterator[None]:
        """Every worker that starts meanwhile waits before its first line until the end of the block."""
        self._may_run.clear()
        try:
            yield
        finally:
            self._may_run.set()

    def post(self, method: str, params: dict[str, Any], session_id: str = "") -> None:
        """Sends a command whose answer nobody needs, at once."""
        self._commands.post(method, params, session_id)

    # ---- from Chromium

    def _from_chromium(self, message: bytes) -> None:
        self._watch.chromium_speaks()
        number = message_id(message)
        if number is not None and number >= OWN_IDS_FROM:
            self._commands.answered(number, message)
        elif number is not None:
            if self._calls.answered(number):
                self.door.send(message)
        elif not self._must_read(message):
            self.door.send(message)
        else:
            self._event(parse_event(message), message)

    def _must_read(self, message: bytes) -> bool:
        if self._listeners or event_method(message) in self._read:
            return True
        return bool(self._own_sessions) and session_of(message) in self._own_sessions

    def _event(self, event: CdpEvent, message: bytes) -> None:
        for listener in self._listeners:
            listener(event)
        if event.method in SILENCE_EVENTS:
            self._watch.saw(event.method, event.session_id)
        if self._hook is not None and event.method in self._hook.reads and self._hook.saw(self, event):
            return
        if event.session_id in self._observed:
            self._observed_worker(event)
        if event.method in _DISCOVERY:
            self._discovered(event)
        elif event.method == "Target.attachedToTarget":
            self._attached(event, message)
        elif event.method == "Target.detachedFromTarget":
            self._detached(event, message)
        elif event.session_id not in self._own_sessions:
            self.door.send(message)
        elif event.method == _CRASHED:
            self._commands.session_ended(event.session_id)

    def _discovered(self, event: CdpEvent) -> None:
        """Discovery is the gate's own wish: Playwright did not ask, so it does not hear."""
        self.book.apply(event)
        if event.method == "Target.targetCreated" and is_worker(event.params["targetInfo"]):
            self.lives.created(event.params["targetInfo"])
        elif event.method == "Target.targetDestroyed":
            self.lives.destroyed(event.params["targetId"])
        self.book.changed()

    def _attached(self, event: CdpEvent, message: bytes) -> None:
        info = event.params["targetInfo"]
        asked_for = info["targetId"] in self._attaching and not event.session_id
        if asked_for or event.session_id in self._own_sessions:
            self._own(event)
        elif is_worker(info):
            self._worker_attached(event, message)
        elif is_new_panel(event):
            self._new_document(event)
        else:
            self._for_playwright(event)
            self._announcements.pass_on(message)

    def _for_playwright(self, event: CdpEvent) -> None:
        if self._hook is not None:
            self._hook.attached(self, event)

    def _new_document(self, event: CdpEvent) -> None:
        if not self.hidden.withholds(event):
            self._pass_new_document(event)

    def _pass_new_document(self, event: CdpEvent) -> None:
        self._for_playwright(event)
        self._announcements.pass_on(encode_event(as_page(event)))

    def _own(self, event: CdpEvent) -> None:
        self._own_sessions[event.params["sessionId"]] = event
        self.book.changed()

    def _worker_attached(self, event: CdpEvent, message: bytes) -> None:
        info, session_id = event.params["targetInfo"], event.params["sessionId"]
        self.lives.created(info)
        life = self.lives.of(extension_of(info["url"]))
        life.attached("observe" if self._observe else "start", session_id)
        life.held_by = session_id
        if self._observe:
            self._observed[session_id] = info
            self.spawn(self._show(info, message))
        else:
            self._own(event)
            self.spawn(self._let_go(event))
        self.book.changed()

    async def _show(self, info: dict[str, Any], message: bytes) -> None:
        """Gives an observed worker to Playwright, which lets it run."""
        await self._may_run.wait()
        self.lives.released(info)
        self._announcements.pass_on(message)
        self.book.changed()

    def _observed_worker(self, event: CdpEvent) -> None:
        """An observed worker's target outlives the worker: its session tells the stops and starts."""
        info = self._observed[event.session_id]
        if event.method == _CRASHED:
            self.lives.destroyed(info["targetId"])
        elif event.method == _RELOADED:
            self.lives.created(info)
            self.lives.released(info)
        self.book.changed()

    async def _let_go(self, event: CdpEvent) -> None:
        """Lets a worker run, unobserved. The answer is awaited: detached earlier it stays paused for ever."""
        info, session_id = event.params["targetInfo"], event.params["sessionId"]
        await self._may_run.wait()
        with contextlib.suppress(HarnessError):
            with contextlib.suppress(CdpError):
                await self._run_worker(event)
            await self.detach(session_id, parent=event.session_id)
            self.lives.released(info)
            self.book.changed()

    async def _run_worker(self, event: CdpEvent) -> None:
        """An extension's page brings its running worker along: that one is not held."""
        info, session_id = event.params["targetInfo"], event.params["sessionId"]
        if self._hook is not None and event.params["waitingForDebugger"]:
            await self._hook.let_run(self, session_id, info)
        else:
            await self.command("Runtime.runIfWaitingForDebugger", session_id=session_id)

    def _detached(self, event: CdpEvent, message: bytes) -> None:
        session_id = event.params["sessionId"]
        self._commands.session_ended(session_id)
        self._calls.session_ended(session_id)
        self._watch.session_ended(session_id)
        self._observed.pop(session_id, None)
        self.lives.detached(session_id)
        if self._own_sessions.pop(session_id, None) is None:
            self._announcements.pass_on(message)
        self.book.changed()

    # ---- from Playwright

    def client_message(self, message: bytes) -> None:
        """Passes Playwright's command on."""
        if self._announcements.answers(message):
            return
        number = message_id(message)
        if number is not None:
            self._calls.asked(number, message)
        self._write(message)

    def client_slow(self, slow: bool) -> None:
        """Lets Chromium wait while Playwright is behind."""
        if self._pipe is not None:
            self._pipe.pause_reading() if slow else self._pipe.resume_reading()

    def client_gone(self) -> None:
        """Playwright has disconnected; what comes now is for nobody.

        Without a Chromium that is no cause of anything: the report of its end is on its way.
        """
        if not self._chromium_gone:
            self.fail(GateLost("Playwright's connection to Chromium has ended. Launch another browser."))

    # ---- end

    def _pipe_ended(self) -> None:
        self._chromium_gone = True
        self._on_pipe_end()

    def fail(self, error: HarnessError) -> None:
        """Ends everything that waits with ``error``; the first error stays."""
        if self.failure is None:
            self._commands.fail(error)
            self.book.fail(error)
            self._calls.refuse(str(error))
            self.door.close()

    def close(self) -> None:
        """Lets go of the pipe and of Playwright."""
        if self._pipe is not None:
            self._pipe.close()
        if self._hook is not None:
            self._hook.closed()
        self.door.close()

    def _write(self, message: bytes) -> None:
        if self._pipe is not None:
            self._pipe.send(message)

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Runs a coroutine beside the gate until its end or the gate's."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
