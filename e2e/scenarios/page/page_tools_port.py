"""A port ``webmcp-page-tools`` in the hand of a test, opened from a real extension page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.waiting import wait_until

Message = dict[str, Any]

_OPEN = """
async ({key, url}) => {
  globalThis.testPorts ??= {};
  const tabs = await chrome.tabs.query({});
  const tab = url === null ? (await chrome.tabs.query({active: true, currentWindow: true}))[0]
                           : tabs.find((candidate) => candidate.url === url);
  if (!tab) throw new Error(`no tab shows ${url}; there are: ${tabs.map((t) => t.url).join(", ")}`);
  const entry = {port: chrome.tabs.connect(tab.id, {name: "webmcp-page-tools", frameId: 0}), log: [], closed: false};
  entry.port.onMessage.addListener((message) => entry.log.push(message));
  entry.port.onDisconnect.addListener(() => { void chrome.runtime.lastError; entry.closed = true; });
  globalThis.testPorts[key] = entry;
}
"""


class PageToolsPort:
    """One open port and everything that came over it, in order.

    Args:
        panel: a page of the extension, usually the real side panel.
        url: of the tab to connect to; ``None``: the active tab of the panel's window.
    """

    _opened = 0

    def __init__(self, panel: Page, url: str | None = None) -> None:
        PageToolsPort._opened += 1
        self._panel = panel
        self._key = f"port{PageToolsPort._opened}"
        self._last_id = 0
        panel.evaluate(_OPEN, {"key": self._key, "url": url})

    @property
    def log(self) -> list[Message]:
        """Every message received so far."""
        return self._panel.evaluate("(key) => testPorts[key].log", self._key)  # type: ignore[no-any-return]

    @property
    def closed(self) -> bool:
        """Whether the other side has gone."""
        return self._panel.evaluate("(key) => testPorts[key].closed", self._key)  # type: ignore[no-any-return]

    def post(self, message: Message) -> None:
        """Send a raw message."""
        self._panel.evaluate(
            "([key, message]) => testPorts[key].port.postMessage(message)", [self._key, message]
        )

    def send(self, kind: str, **fields: Any) -> int:
        """Send a request; returns its id."""
        self._last_id += 1
        self.post({"id": self._last_id, "type": kind, **fields})
        return self._last_id

    def answers(self, request: int) -> list[Message]:
        """Every answer to a request so far; there must never be two."""
        return self._panel.evaluate(  # type: ignore[no-any-return]
            "([key, id]) => testPorts[key].log.filter((message) => message.id === id)", [self._key, request]
        )

    def answer(self, request: int, timeout: float = 15.0) -> Message:
        """Wait for the answer to a request."""
        return self._wait(lambda: self.answers(request), f"an answer to request {request}", timeout)[0]

    def ask(self, kind: str, **fields: Any) -> Message:
        """Send a request and wait for its answer."""
        return self.answer(self.send(kind, **fields))

    def call(self, name: str, args: dict[str, Any] | None = None) -> Message:
        """Call a tool; the result of a success, ``{code, message, executed}`` of a failure."""
        answer = self.ask("callTool", name=name, args=args or {})
        return answer["result"] if answer["ok"] else answer["error"]  # type: ignore[no-any-return]

    def tools(self) -> dict[str, Message]:
        """``listTools``, by name."""
        return {tool["name"]: tool for tool in self.ask("listTools")["result"]["tools"]}

    @property
    def state(self) -> Message:
        """The last ``state`` notification; the first one is on its way as soon as the port is open."""
        last = "(key) => testPorts[key].log.findLast((message) => message.type === 'state')"
        return self._wait(lambda: self._panel.evaluate(last, self._key), "a state", 15.0)  # type: ignore[no-any-return]

    @property
    def states(self) -> list[str]:
        """Every state told so far."""
        return [message["state"] for message in self.log if message.get("type") == "state"]

    def wait_state(self, state: str, timeout: float = 15.0) -> Message:
        """Wait until the last ``state`` says so; returns that notification."""
        self._wait(lambda: self.state["state"] == state, f"state {state!r}", timeout)
        return self.state

    def wait_tool(self, name: str, timeout: float = 15.0) -> None:
        """Wait until a ``toolsChanged`` shows the tool (or a listing does)."""
        self._wait(lambda: name in self.tools(), f"the page lists {name!r}", timeout)

    def wait_closed(self, timeout: float = 15.0) -> None:
        """Wait until the other side has gone."""
        self._wait(lambda: self.closed, "the port closes", timeout)

    def close(self) -> None:
        """Disconnect from this side."""
        self._panel.evaluate("(key) => testPorts[key].port.disconnect()", self._key)

    def _wait(self, condition: Any, what: str, timeout: float) -> Any:
        return wait_until(
            condition, what, timeout=timeout, pump=lambda s: self._panel.wait_for_timeout(s * 1000)
        )


OpenPort = Callable[[], PageToolsPort]
"""Opens one more port to ``page``."""

Visit = Callable[..., PageToolsPort]
"""``visit("frames.html", csp="strict")``: goes there, waits for its tools, returns a port that is ready."""

Serve = Callable[[str], str]
"""``serve(html)``: puts a page of the test's own beside the order desk's and returns its address."""


def text_of(result: Message) -> str:
    """The first text of a tool result."""
    return str(result["content"][0]["text"])


_HEARS = """
async () => {
  const registration = new AbortController();
  let heard = false;
  const execute = (_, options) => { heard = Boolean(options?.signal); };
  await document.modelContext.registerTool({name: "hears", description: "d", execute}, {signal: registration.signal});
  const tool = (await document.modelContext.getTools()).find(({name}) => name === "hears");
  for (const input of ["{}", {}]) await document.modelContext.executeTool(tool, input).catch(() => {});
  registration.abort();
  return heard;
}
"""


def expect_aborted(page: Page, html_app: HtmlApp, execution: int = 1) -> None:
    """The running tool is told of the cancellation, wherever the browser tells tools (Chromium 150 does not)."""
    if page.evaluate(_HEARS):
        html_app.wait_for_outcome(execution, "aborted")
