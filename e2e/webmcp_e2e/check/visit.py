"""One visit to the page in one runtime, with the whole chain behind it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Error, Page, sync_playwright

from webmcp_e2e import resources
from webmcp_e2e.browser import Extension, ExtensionBrowser, find_chromium
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import WaitTimeout, wait_until

from .findings import Finding
from .lint import lint
from .probe import PROBE, REGISTER, REGISTERED, UNREGISTER

if TYPE_CHECKING:
    from mcp_types import Tool

    from webmcp_e2e.browser.flags import Runtime

_BUILTIN: Final = "chrome_extension_"
_RESERVED: Final = (_BUILTIN, "webmcp_", "ext__", "a2a__")
_PATIENCE: Final = 15.0


class PageGone(RuntimeError):
    """The server has no such page."""

    code = "page_gone"


def _silent(_words: str) -> None:
    """Nobody waits."""


@dataclass
class Visit:
    """What was found; ``names`` are the tools as the page's own names. ``tell`` hears what is done next."""

    runtime: str
    tell: Callable[[str], object] = _silent
    findings: list[Finding] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def begin(self, what: str) -> None:
        """Something that may take a while."""
        self.tell(f"[{self.runtime}] {what}")

    def note(self, ok: bool, check: str, subject: str, text: str) -> None:
        """One finding of this runtime."""
        self.findings.append(Finding("ok" if ok else "problem", check, subject, text, self.runtime))


def visit(
    url: str,
    runtime: Runtime,
    chromium: Path | None,
    patience: float = _PATIENCE,
    tell: Callable[[str], object] = _silent,
) -> Visit:
    """Visits ``url``; ``patience``: seconds for each wait; ``tell`` hears what is done next.

    Raises ``PageGone``, and what the browser raises when the page cannot be shown.
    """
    found = Visit(runtime, tell)
    with ExitStack() as stack:
        found.begin(f"opens {url}")
        page, relay, host = _open(stack, runtime, chromium)
        answer = page.goto(url)
        if answer is not None and not answer.ok:
            raise PageGone(f"the server answers {answer.status}. Give the address of a page that it has.")
        if not _lists_tools(found, relay, patience):
            return found
        _hides_none(found, page, relay, patience)
        for tool in _tools(relay).values():
            found.findings += [_of(runtime, one) for one in _lint(tool)]
        _call_readers(found, relay)
        _comes_and_goes(found, page, relay, patience)
        for check, text, act in _disturbances(page, host, url):
            _survives(found, relay, check, text, act, patience)
    return found


def _open(stack: ExitStack, runtime: Runtime, chromium: Path | None) -> tuple[Page, Relay, Extension]:
    ports = stack.enter_context(port_range())
    relay = Relay(ports, Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="webmcp-check-"))))
    relay.start()
    stack.callback(relay.close)
    playwright = stack.enter_context(sync_playwright())
    browser = ExtensionBrowser.launch(playwright, binary=find_chromium(chromium), runtime=runtime)
    stack.callback(browser.close)
    settings = {"enabled": True, "host": "127.0.0.1", "ports": [ports[0], ports[-1]]}
    folder = resources.extension_dir("host")
    host = browser.load_extension(folder, local_storage={RELAY_SETTINGS_KEY: settings})
    return browser.context.pages[0], relay, host


def _tools(relay: Relay) -> dict[str, Tool]:
    wanted = relay.page_tools()
    return {
        name: tool for name, tool in relay.tools().items() if name in wanted and not name.startswith(_BUILTIN)
    }


def _lists_tools(found: Visit, relay: Relay, patience: float) -> bool:
    try:
        found.names = set(wait_until(lambda: _tools(relay), "the page registers tools", timeout=patience))
    except WaitTimeout:
        text = f"registers no tool within {patience:g} s. Call document.modelContext.registerTool(...)"
        found.note(False, "tools", "page", text)
        return False
    found.note(True, "tools", "page", f"offers {', '.join(sorted(found.names))}")
    return True


def _hides_none(found: Visit, page: Page, relay: Relay, patience: float) -> None:
    """Tools that the page has and no client sees: their names are reserved, or the extension refused them."""

    def hidden() -> set[str]:
        return set(page.evaluate(REGISTERED)) - set(_tools(relay))

    with suppress(WaitTimeout, Error):
        wait_until(lambda: not hidden(), "every tool of the page reaches the client", timeout=patience / 3)
        return
    for name in sorted(hidden()):
        reserved = next((prefix for prefix in _RESERVED if name.startswith(prefix)), None)
        why = (
            f"names that begin with {reserved} are reserved" if reserved else "look at the side panel's Tools"
        )
        found.note(False, "hidden", name, f"is registered and reaches no client: {why}")


def _lint(tool: Tool) -> list[Finding]:
    """The client's description begins with the origin in brackets."""
    text = (tool.description or "").partition("] ")[2]
    return lint(tool.name, text, dict(tool.input_schema))


def _of(runtime: str, one: Finding) -> Finding:
    return Finding(one.level, one.check, one.subject, one.text, runtime)


def _call_readers(found: Visit, relay: Relay) -> None:
    """Only tools that say that they read and that need nothing: whatever else a tool does is its page's business."""
    for name, tool in _tools(relay).items():
        reads = tool.annotations is not None and tool.annotations.read_only_hint is True
        if reads and not tool.input_schema.get("required"):
            found.begin(f"calls {name}")
            result = relay.call(name)
            first: Any = result.content[0] if result.content else None
            text = "answers" if not result.is_error else f"fails: {getattr(first, 'text', '')[:200]}"
            found.note(not result.is_error, "call", name, text)


def _comes_and_goes(found: Visit, page: Page, relay: Relay, patience: float) -> None:
    """A page may have replaced the runtime, or swallow its changes: then a client never hears of a late tool."""
    found.begin("registers a tool, and takes it back")
    step = "a tool that is registered later does not reach a client"
    try:
        page.evaluate(REGISTER, PROBE)
        wait_until(lambda: PROBE in _tools(relay), "the late tool", timeout=patience)
        step = "a tool that is registered later cannot be called"
        said = [getattr(part, "text", "") for part in relay.call(PROBE).content]
        step = "a tool that is unregistered stays on the clients' lists"
        page.evaluate(UNREGISTER, PROBE)
        wait_until(lambda: PROBE not in _tools(relay), "the late tool has gone", timeout=patience)
    except (Error, WaitTimeout) as error:
        found.note(False, "register", "page", f"{step}: {str(error).splitlines()[0]}")
        return
    text = "a tool that is registered later can be called, and goes when it is unregistered"
    found.note(said == ["here"], "register", "page", text if said == ["here"] else f"{step}: it said {said}")


def _disturbances(page: Page, host: Extension, url: str) -> Iterator[tuple[str, str, Callable[[], object]]]:
    def away_and_back() -> None:
        page.goto("about:blank")
        page.go_back(wait_until="commit")

    yield "recycle", "the extension's worker was stopped", host.worker.stop
    yield "reload", "the page was loaded again", page.reload
    yield "back", "the page was left and Back brought it again", away_and_back
    yield "reload-extension", "the extension was reloaded under the page", host.reload


def _survives(
    found: Visit, relay: Relay, check: str, text: str, act: Callable[[], object], patience: float
) -> None:
    found.begin(f"looks again when {text}")
    try:
        act()
        relay.sources()
        wait_until(lambda: found.names <= set(_tools(relay)), "the same tools", timeout=2 * patience)
    except (Error, WaitTimeout):
        missing = sorted(found.names - set(_tools(relay)))
        found.note(False, check, "page", f"after {text}, these tools are missing: {', '.join(missing)}")
    else:
        found.note(True, check, "page", f"{text}; the tools are there")
