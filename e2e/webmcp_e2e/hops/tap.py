"""Puts the tap ahead of the code of workers, content scripts, pages and panels, over CDP, and takes in what it sends.

Neither files nor ids of an extension change. A worker is paused before its first statement, gets the tap, and is let
go without a debugger; a content script is paused at its first line; a document gets the tap as an init script.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import Coroutine
from importlib.resources import files
from typing import Any, Final, Protocol

from .documents import Documents
from .recorder import Recorder
from .records import Skew
from .sink import Sink
from .workers import Workers

BOUNDS: Final = {
    "records": 100_000,
    "nodes": 400,
    "items": 60,
    "depth": 12,
    "text": 4_000,
    "frame": 262_144,
    "delay": 30,
    "longest": 300,
}
"""Of one context and of one payload; what is cut off is counted in the record. ``delay``: ms without a
record until a batch leaves, ``longest``: ms until it leaves in any case."""

_log = logging.getLogger("webmcp_e2e.hops")
_SCRIPTS_OF_EXTENSIONS: Final = "^chrome-extension://[a-p]{32}/"
_PAUSE_SECONDS: Final = 5.0
_DOCUMENTS: Final = frozenset({"page", "iframe", "other"})


class Event(Protocol):
    """A CDP event."""

    @property
    def method(self) -> str:
        """Its name."""

    @property
    def params(self) -> dict[str, Any]:
        """What it says."""

    @property
    def session_id(self) -> str:
        """Whose it is; empty for the browser's own session."""


class Browser(Protocol):
    """What the tap needs of whoever owns the CDP connection."""

    async def command(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        session_id: str = "",
        timeout: float = 10.0,
    ) -> dict[str, Any]:
        """Sends a command and gives its result."""

    def post(self, method: str, params: dict[str, Any], session_id: str = "") -> None:
        """Sends a command whose answer nobody needs, at once."""

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Runs something beside the connection."""


class Tap:
    """The tap of one browser, over its restarts. ``recorder`` may be changed between two tests.

    All methods but the constructor run on the loop of the CDP connection.
    """

    reads: Final = frozenset(
        {
            "Target.attachedToTarget",
            "Target.targetCreated",
            "Target.targetInfoChanged",
            "Target.targetDestroyed",
            "Debugger.paused",
            "Debugger.resumed",
            "Runtime.bindingCalled",
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Network.webSocketCreated",
            "Network.webSocketFrameSent",
            "Network.webSocketFrameReceived",
            "Network.webSocketClosed",
            "Inspector.targetCrashed",
        }
    )
    """The events that ``saw`` wants to see."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._binding = f"b{secrets.token_hex(12)}"
        self._source = files(__package__).joinpath("tap.js").read_text(encoding="utf-8")
        self._documents = Documents(self)
        self._workers = Workers(self)
        self._paused: dict[str, asyncio.Future[None]] = {}
        self._sink: Sink | None = None

    async def opened(self, browser: Browser) -> None:
        """A Chromium has started."""
        self._sink = Sink(self._workers.received)
        await self._sink.open()

    def closed(self) -> None:
        """It has ended."""
        if self._sink is not None:
            self._sink.close()

    # ---- where the tap goes in

    def attached(self, browser: Browser, event: Event) -> None:
        """A document that waits for its debugger: our commands are the first on its session."""
        info, session_id = event.params["targetInfo"], event.params["sessionId"]
        if info["type"] not in _DOCUMENTS or self._documents.knows(info["targetId"]):
            return  # A second session on a document would give it the binding again.
        self._documents.attached(session_id, info)
        browser.post("Runtime.addBinding", {"name": self._binding}, session_id)
        browser.post("Page.enable", {}, session_id)
        source = {"source": self._tap("page", binding=self._binding), "runImmediately": True}
        browser.post("Page.addScriptToEvaluateOnNewDocument", source, session_id)
        if info["type"] != "other":
            first = {"urlRegex": _SCRIPTS_OF_EXTENSIONS, "lineNumber": 0, "columnNumber": 0}
            browser.post("Debugger.enable", {}, session_id)
            browser.post("Debugger.setBreakpointByUrl", first, session_id)

    async def let_run(self, browser: Browser, session_id: str, info: dict[str, Any]) -> None:
        """A worker that is held before its first line: lets it run with the tap ahead of it."""
        paused = self._paused[session_id] = asyncio.get_running_loop().create_future()
        before = {"instrumentation": "beforeScriptExecution"}
        try:
            await browser.command("Debugger.enable", session_id=session_id)
            await browser.command("Debugger.setInstrumentationBreakpoint", before, session_id=session_id)
            await browser.command("Runtime.runIfWaitingForDebugger", session_id=session_id)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(paused, _PAUSE_SECONDS)
                await self._tap_worker(browser, session_id, info)
        finally:
            del self._paused[session_id]
        await browser.command("Debugger.disable", session_id=session_id)

    async def _tap_worker(self, browser: Browser, session_id: str, info: dict[str, Any]) -> None:
        assert self._sink is not None
        source = self._tap("worker", sink=self._sink.url(info["targetId"]))
        before = self.recorder.clock.now()
        params = {"expression": source, "returnByValue": True}
        answer = await browser.command("Runtime.evaluate", params, session_id=session_id)
        self._measure(answer, before)

    def _tap(self, world: str, *, sink: str = "", binding: str = "") -> str:
        # A page can read an init script's text through a stack or a profile: no secret goes there.
        hidden = [] if world == "page" else self.recorder.redactor.texts
        config = {"world": world, "sink": sink, "binding": binding, "secrets": hidden, "bounds": BOUNDS}
        return self._source.replace("__CONFIG__", json.dumps(config))

    # ---- what comes back

    def saw(self, browser: Browser, event: Event) -> bool:
        """Takes an event in; true where it is nobody else's business. An observer's fault ends no test."""
        try:
            return self._saw(browser, event)
        except (LookupError, TypeError, ValueError) as error:
            _log.warning("hops could not read %s: %r", event.method, error)
            return False

    def _saw(self, browser: Browser, event: Event) -> bool:
        if event.method.startswith("Debugger."):
            return self._debugger(browser, event)
        if event.method == "Runtime.bindingCalled":
            if event.params["name"] != self._binding:
                return False
            self._documents.received(event.session_id, event.params["payload"])
            return True
        if event.method.startswith("Target."):
            self._workers.target(event)
            self._documents.target(event)
        else:
            self._documents.saw(event)
        return False

    def _debugger(self, browser: Browser, event: Event) -> bool:
        """Playwright switches no debugger on, so a pause is ours, or a page's own ``debugger`` statement."""
        waiting = self._paused.get(event.session_id)
        if waiting is not None:
            if event.method == "Debugger.paused" and not waiting.done():
                waiting.set_result(None)
        elif event.method == "Debugger.paused":
            browser.spawn(self._content_script(browser, event))
        return True

    async def _content_script(self, browser: Browser, event: Event) -> None:
        """A content script stands at its first line: gives it the tap and lets it go on, whatever comes."""
        frame = event.params["callFrames"][0]
        try:
            if event.params.get("hitBreakpoints"):
                await self._tap_content_script(browser, event.session_id, frame)
        except (
            Exception
        ) as error:  # The document went, or Chromium did: nothing is left to be recorded there.
            _log.debug("a content script goes unrecorded: %s", error)
        finally:
            browser.post("Debugger.resume", {}, event.session_id)

    async def _tap_content_script(self, browser: Browser, session_id: str, frame: dict[str, Any]) -> None:
        source = self._tap("isolated", binding=self._binding)
        params = {"callFrameId": frame["callFrameId"], "expression": source, "returnByValue": True}
        before = self.recorder.clock.now()
        answer = await browser.command("Debugger.evaluateOnCallFrame", params, session_id=session_id)
        self._measure(answer, before)

    def _measure(self, answer: dict[str, Any], before: float) -> None:
        """A context's clock was read somewhere between two readings of ours."""
        value = answer.get("result", {}).get("value")
        if isinstance(value, dict):
            after = self.recorder.clock.now()
            skew = Skew(offset=value["now"] - (before + after) / 2, error=(after - before) / 2)
            self.recorder.skew(value["context"], skew)
