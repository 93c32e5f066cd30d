"""The whole chain connected: page, extension, panel, relay, MCP client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from webmcp_e2e.browser import Extension
    from webmcp_e2e.services.html_app import HtmlApp

Via = Literal["relay", "panel"]

_CALL_FROM_PANEL = """
async ({url, name, args}) => {
  const tabs = await chrome.tabs.query({});
  const tab = tabs.find((candidate) => candidate.url === url);
  if (!tab) throw new Error(`no tab shows ${url}; open tabs: ${tabs.map((t) => t.url).join(", ")}`);
  const shown = `tab${tab.id}__${name}`;
  const listed = () => globalThis.lumoPanel.tools().includes(shown);
  for (let tries = 0; tries < 200 && !listed(); tries++) await new Promise((go) => setTimeout(go, 25));
  return await globalThis.lumoPanel.call(shown, args);
}
"""
"""The panel's own call, the way that a click takes; its tools come with the port's first messages."""


@dataclass
class Chain:
    """All hops connected; ``call`` sends a call down one of the two paths."""

    host: Extension
    page: Page
    relay: Relay
    html_app: HtmlApp

    def wait_ready(self, tool: str = "get_status", timeout: float = 20.0) -> None:
        """Wait until the MCP client lists ``tool`` of the page."""
        wait_until(
            lambda: tool in self.relay.page_tools(),
            f"the MCP client lists the page's tool {tool!r} (relay log: {self.relay.log_file})",
            timeout=timeout,
        )

    def call(
        self, name: str, args: dict[str, Any] | None = None, *, via: Via = "relay", timeout: float = 60.0
    ) -> dict[str, Any]:
        """Call a tool of the page and return its result as an MCP client sees it (a JSON object).

        Args:
            name: the page's own name of the tool.
            args: its arguments.
            via: ``relay`` (MCP client, relay, worker, content script) or ``panel`` (the real side panel straight
                to the content script; our host's panel only).
            timeout: seconds.
        """
        if via == "relay":
            result = self.relay.call(name, args, timeout=timeout)
            return result.model_dump(mode="json", by_alias=True, exclude_none=True)
        panel = self.host.side_panel(self.page)
        panel.set_default_timeout(timeout * 1000)
        result = panel.evaluate(_CALL_FROM_PANEL, {"url": self.page.url, "name": name, "args": args or {}})
        return cast("dict[str, Any]", result)
