"""One Chromium with a fresh profile, extensions, and Playwright connected through the gate."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, Playwright
from playwright.sync_api import Error as PlaywrightError

from . import chromium
from .chromium import ChromiumBinary
from .errors import BrowserClosed, ExtensionError, LaunchFailed
from .extension import Extension
from .flags import Runtime, command_line
from .hidden import hidden_document
from .hook import GateHook
from .loading import LOAD_SECONDS, Load, Wanted, load_all, plan, settle_all
from .process import ScratchFolder
from .running import RunningChromium
from .targets import WorkerLives
from .worker import settle

if TYPE_CHECKING:
    from .gate import EventListener, Gate

_CONNECT_SECONDS: Final = 30.0
_WAIT: Final = 10.0


@dataclass(frozen=True)
class LaunchOptions:
    """How a browser is started; see ``ExtensionBrowser.launch``."""

    binary: ChromiumBinary
    runtime: Runtime
    headless: bool
    args: Sequence[str]
    stderr_file: Path | None
    observe_workers: bool
    slow_mo: float
    hang_timeout: float
    hook: GateHook | None


class ExtensionBrowser:
    """One Chromium. All methods are synchronous and bounded; ``close`` leaves no process and no file."""

    def __init__(self, playwright: Playwright, options: LaunchOptions) -> None:
        self.binary = options.binary
        self.runtime: Runtime = options.runtime
        self.lives = WorkerLives()
        self.panels: dict[tuple[str, int], Page] = {}
        self.outlasting: list[Callable[[], None]] = []
        """Takes back what would outlast the extensions; called by whoever makes the browser as good as new."""
        self.extensions: dict[str, Extension] = {}
        self.hook = options.hook
        self._options = options
        self._playwright = playwright
        self._listeners: list[EventListener] = []
        self._running: RunningChromium | None = None
        self._to_connect: Callable[[], None] | None = None
        self._settled: Callable[[], None] | None = None
        self._scratch = ScratchFolder()
        self.profile_dir = self._scratch.profile
        self.stderr_file = options.stderr_file or self._scratch.path / "stderr"
        self._argv = command_line(
            options.binary,
            self.profile_dir,
            runtime=options.runtime,
            headless=options.headless,
            args=options.args,
        )

    @classmethod
    def launch(
        cls,
        playwright: Playwright,
        *,
        binary: ChromiumBinary,
        runtime: Runtime = "native",
        headless: bool = True,
        args: Sequence[str] = (),
        stderr_file: Path | None = None,
        observe_workers: bool = False,
        slow_mo: float = 0,
        hang_timeout: float = 8.0,
        extensions: Wanted | None = None,
        connect: bool = True,
        hook: GateHook | None = None,
    ) -> ExtensionBrowser:
        """Starts Chromium with a fresh profile and connects Playwright.

        ``args`` are added to Chromium's command line. ``stderr_file`` takes Chromium's stderr (else it is in the
        profile's folder and goes with it). ``observe_workers`` leaves Playwright attached to service workers,
        which then never idle out. ``slow_mo`` is Playwright's, in milliseconds. A Playwright call on a page whose
        main thread is silent for ``hang_timeout`` seconds fails as ``page_hung``. ``extensions`` are loaded as by
        ``load_extensions``, while Playwright connects, which is faster: their workers run when this
        returns, and have settled at the first use of them. ``hook`` takes part in what the gate does.
        Raises ``LaunchFailed``; with ``connect=False`` it returns at once, and what comes first, a load or
        another use, connects and may raise that.
        """
        options = LaunchOptions(
            binary=binary,
            runtime=runtime,
            headless=headless,
            args=args,
            stderr_file=stderr_file,
            observe_workers=observe_workers,
            slow_mo=slow_mo,
            hang_timeout=hang_timeout,
            hook=hook,
        )
        loads = plan(extensions or {})
        browser = cls(playwright, options)
        atexit.register(browser.close)
        chromium.write_profile(browser.profile_dir)
        browser._start(loads)
        if connect:
            browser._connected()
        return browser

    @property
    def browser(self) -> Browser:
        """Playwright's browser."""
        return self._connected()

    @property
    def context(self) -> BrowserContext:
        """Playwright's context, the profile itself. Raises why the browser has ended."""
        contexts = self._connected().contexts
        if not contexts:
            raise self.failure or BrowserClosed("this browser is closed. Launch another one.")
        return contexts[0]

    @property
    def pid(self) -> int:
        """The process id of Chromium's browser process, which is also its process group."""
        return self.running.process.pid

    @property
    def failure(self) -> Exception | None:
        """Why this browser can no longer be used (``BrowserCrashed``, ``GateLost`` …), or none.

        A Playwright call that was under way when Chromium ended raises Playwright's own error; the cause is here.
        """
        return None if self._running is None else self._running.failure

    def end_reason(self) -> Exception | None:
        """``failure``, after waiting until a crash that is just being looked into is understood."""
        return None if self._running is None else self._running.end_reason()

    def load_extension(self, path: Path, *, local_storage: Mapping[str, Any] | None = None) -> Extension:
        """Loads an unpacked extension and waits until its worker runs.

        ``local_storage`` is in ``chrome.storage.local`` before the worker's first line.
        Raises ``ExtensionError`` with Chromium's reason.
        """
        return self.load_extensions({path: local_storage})[0]

    def load_extensions(self, wanted: Wanted) -> list[Extension]:
        """Loads several unpacked extensions at once, which is faster than one after the other.

        ``wanted`` gives each folder its ``local_storage``, or none; see ``load_extension``.
        """
        loads, running = plan(wanted), self._started()
        loaded = running.start_coroutine(load_all(running.gate, loads), LOAD_SECONDS)
        self._connected()
        ids = self._register(loads, loaded())
        running.run(settle_all(running.gate, loads, ids), LOAD_SECONDS)
        return [self.extensions[extension_id] for extension_id in ids]

    def unload_extension(self, extension: Extension) -> None:
        """Removes an extension as a user does: its storage, panels and worker go; loaded again it is new."""
        self.cdp("Extensions.uninstall", {"id": extension.id})
        self.wait_for(
            lambda: extension.life.status == "stopped", f"the worker of {extension.path} did not end"
        )
        self.extensions.pop(extension.id, None)
        self.lives.forget(extension.id)

    def restart(self) -> None:
        """Closes Chromium and starts it again on the same profile, as a user does.

        Extensions come back by themselves, ``runtime.onStartup`` fires, ``storage.local`` and alarms are kept,
        ``storage.session`` is gone. ``context`` and ``browser`` are new afterwards; extensions stay valid.
        """
        self.running.quit()
        starting = chromium.keep_extensions(self.profile_dir, self.extensions)
        self.lives.all_gone()
        self.panels.clear()
        self._start()
        self._connected()
        self.settle([self.extensions[extension_id] for extension_id in starting])

    def cdp(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        session_id: str | None = None,
        timeout: float = 10.0,
    ) -> dict[str, Any]:
        """Sends a command of the gate's own, on the browser's session by default. Raises ``CdpError``."""
        command = self.running.gate.command(method, params, session_id=session_id or "", timeout=timeout)
        return self.running.run(command, timeout + _WAIT)

    def on_event(self, callback: EventListener) -> None:
        """Calls ``callback`` with every CDP event from now on, in the gate's thread, over restarts too."""
        self._listeners.append(callback)
        self.running.call_soon(lambda: self.running.gate.listen(callback))

    def close(self) -> None:
        """Kills Chromium's processes and removes profile and temporary files; idempotent."""
        atexit.unregister(self.close)
        self._to_connect = None
        if self._running is not None:
            self._running.kill()
        self._scratch.remove()

    # ---- for the other modules of this package

    @property
    def running(self) -> RunningChromium:
        """The present Chromium with its gate, Playwright connected; what was loaded at its launch has settled."""
        running = self._started()
        self._connected()
        settled, self._settled = self._settled, None
        if settled is not None:
            settled()
        return running

    def wait_for(self, condition: Callable[[], bool], what: str, timeout: float = _WAIT) -> None:
        """Waits until ``condition`` holds of the targets."""
        self.running.run(self.running.gate.book.wait_for(condition, timeout, what), timeout + _WAIT)

    def settle(self, extensions: Sequence[Extension]) -> None:
        """Waits until these extensions' workers have started and have got their first event."""
        for extension in extensions:
            self.running.run(settle(self.running.gate, extension.life, str(extension.path)), 3 * _WAIT)

    def target_of(self, page: Page) -> str:
        """The CDP target id of a Playwright page."""
        try:
            session = page.context.new_cdp_session(page)
            target_id: str = session.send("Target.getTargetInfo")["targetInfo"]["targetId"]
            session.detach()
        except PlaywrightError as error:
            raise self.failure or error from None
        return target_id

    def evaluate_in_hidden(self, url: str, script: str) -> Any:
        """Evaluates in a document of its own that no tab strip, extension or test sees."""
        return self.running.run(_evaluate_in_hidden(self.running.gate, url, script), 2 * _WAIT)

    def _started(self) -> RunningChromium:
        if self._running is None:
            raise BrowserClosed("this browser was never started. Use ExtensionBrowser.launch().")
        return self._running

    def _start(self, loads: Sequence[Load] = ()) -> None:
        options = self._options
        running = self._running = RunningChromium.start(
            self._argv,
            self._scratch,
            self.stderr_file,
            self.lives,
            self._listeners,
            observe_workers=options.observe_workers,
            hang_timeout=options.hang_timeout,
            hook=options.hook,
        )
        loaded = running.start_coroutine(load_all(running.gate, loads), LOAD_SECONDS) if loads else list
        self._to_connect = lambda: self._connect(running, loads, loaded)

    def _connected(self) -> Browser:
        """Playwright's browser, connected now if it is not yet: a Chromium boots well without being waited for."""
        self._started()
        connect, self._to_connect = self._to_connect, None
        if connect is not None:
            try:
                connect()
            except BaseException:
                self.close()
                raise
        return self._browser

    def _register(self, loads: Sequence[Load], ids: list[str]) -> list[str]:
        for load, extension_id in zip(loads, ids, strict=True):
            self.extensions.setdefault(extension_id, Extension(self, load.path, extension_id))
        return ids

    def _connect(
        self, running: RunningChromium, loads: Sequence[Load], loaded: Callable[[], list[str]]
    ) -> None:
        endpoint, timeout = running.gate.door.endpoint, _CONNECT_SECONDS * 1000
        try:
            self._browser = self._playwright.chromium.connect_over_cdp(
                endpoint, timeout=timeout, slow_mo=self._options.slow_mo
            )
        except PlaywrightError as error:
            raise LaunchFailed(f"Chromium did not come up: {running.end_reason() or error}") from None
        ids = self._register(loads, loaded())
        if loads:
            self._settled = running.start_coroutine(settle_all(running.gate, loads, ids), LOAD_SECONDS)


async def _evaluate_in_hidden(gate: Gate, url: str, script: str) -> Any:
    async with hidden_document(gate, url) as session_id:
        params = {"expression": script, "awaitPromise": True, "returnByValue": True}
        answer = await gate.command("Runtime.evaluate", params, session_id=session_id)
    if "exceptionDetails" in answer:
        raise ExtensionError(f"{url}: {answer['exceptionDetails']['exception'].get('description')}")
    return answer["result"].get("value")
