"""Whole chains to measure: browser, page, relay and MCP client, of ours and of the peer's."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

from webmcp_e2e import resources
from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.hops import Hops
from webmcp_e2e.services.mcp_client import McpClient
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

from .setting import Setting

RelayKind = Literal["ours", "peer"]
Runtime = Literal["native", "polyfill"]

_FLOOR_SERVER = Path(__file__).with_name("floor_server.py")
_LAB: Mapping[str, str | int] = {"lab": ""}

PEER_RELAY = "@mcp-b/webmcp-local-relay 2.2.0"


class PeerMissing(RuntimeError):
    """The peer is not installed; the message says how to get it."""


def peer_command() -> list[str]:
    """The command line of the published relay, from the extensions' dev dependencies."""
    script = resources.html_app_dir().parent / "extensions/node_modules/@mcp-b/webmcp-local-relay/dist/cli.js"
    node = shutil.which("node")
    if node is None or not script.is_file():
        raise PeerMissing(f"the peer relay needs node and {script}. Run `make setup` in a checkout.")
    return [node, str(script)]


@dataclass(frozen=True)
class Rig:
    """A connected chain. ``host`` is None where the page reaches the relay by itself."""

    browser: ExtensionBrowser
    page: Page
    relay: Relay
    host: Extension | None

    def public_name(self, tool: str) -> str:
        """The name under which the relay offers the page's tool (the first one, if several pages have it)."""
        offered = self.relay.page_tools()
        return tool if tool in offered else min((name for name in offered if tool in name), key=len)

    def wait_for_tool(self, tool: str) -> None:
        """Waits until the MCP client lists the page's tool."""
        wait_until(
            lambda: any(tool in name for name in self.relay.page_tools()),
            f"the relay lists {tool} (its log: {self.relay.log_tail(5)})",
            timeout=30,
        )


@contextmanager
def _started_relay(setting: Setting, kind: RelayKind, name: str, hops: Hops | None = None) -> Iterator[Relay]:
    with port_range(2) as ports:
        command = peer_command() if kind == "peer" else None
        relay = Relay(ports, setting.folder, command=command, name=name, flags=hops.tape() if hops else ())
        relay.listener = hops.client() if hops else None
        relay.start()
        try:
            yield relay
        finally:
            relay.close()


@contextmanager
def _browser(
    setting: Setting, name: str, runtime: Runtime, hops: Hops | None = None
) -> Iterator[ExtensionBrowser]:
    stderr_file = setting.folder / f"{name}-chromium.log"
    browser = ExtensionBrowser.launch(
        setting.playwright,
        binary=setting.binary,
        runtime=runtime,
        stderr_file=stderr_file,
        hook=hops.tap() if hops else None,
    )
    try:
        yield browser
    finally:
        browser.close()


@contextmanager
def extension_rig(
    setting: Setting,
    kind: RelayKind,
    name: str,
    query: Mapping[str, str | int] = _LAB,
    runtime: Runtime = "native",
    hops: Hops | None = None,
) -> Iterator[Rig]:
    """Our extension in a browser of its own, connected to our relay or to the peer's; ``hops`` records it."""
    with ExitStack() as stack:
        relay = stack.enter_context(_started_relay(setting, kind, name, hops))
        browser = stack.enter_context(_browser(setting, name, runtime, hops))
        settings = {"enabled": True, "host": "127.0.0.1", "ports": [relay.port, relay.port]}
        page = browser.context.new_page()
        page.goto(setting.app.page("", **{**query, "journal": "off"}))
        page.bring_to_front()
        host = browser.load_extension(setting.host, local_storage={RELAY_SETTINGS_KEY: settings})
        # Afresh, so that content scripts start as on any page that is opened with the extension there.
        page.reload()
        rig = Rig(browser, page, relay, host)
        rig.wait_for_tool("get_status")
        yield rig


@contextmanager
def embed_rig(setting: Setting, name: str) -> Iterator[Rig]:
    """The peer's relay with its own embed in the page, no extension.

    In the polyfill runtime: the embed looks for an interface that only the page's own polyfill offers.
    """
    with ExitStack() as stack:
        relay = stack.enter_context(_started_relay(setting, "peer", name))
        browser = stack.enter_context(_browser(setting, name, "polyfill"))
        page = browser.context.new_page()
        page.goto(setting.app.page("embed.html", relay_port=relay.port, journal="off"))
        rig = Rig(browser, page, relay, None)
        rig.wait_for_tool(TOOL)
        yield rig


@contextmanager
def floor_client(folder: Path) -> Iterator[McpClient]:
    """The official client on a server that does nothing."""
    client = McpClient([sys.executable, str(_FLOOR_SERVER)], folder, name="floor")
    client.start()
    try:
        yield client
    finally:
        client.close()


TOOL = "shape"
ARGS: Mapping[str, Any] = {"kind": "content"}
"""The measured call: a small result that is MCP's already, which every contestant passes on as it is."""
