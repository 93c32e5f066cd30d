"""The extension protocol: a probe, a call over a provider's port, and the way back after its worker was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Page

from webmcp_e2e import resources
from webmcp_e2e.browser import Extension, ExtensionBrowser
from webmcp_e2e.contract import RELAY_SETTINGS_KEY
from webmcp_e2e.lumo.models import PROVIDERS_KEY
from webmcp_e2e.lumo.provider_setup import SETUP_FILE, ProviderSetup
from webmcp_e2e.lumo.scripted import ScriptedHost, write_host
from webmcp_e2e.waiting import wait_until

from .results import Result
from .rounds import in_turn, median_of
from .setting import Setting

_CALLS = 100
_STOPS = 10
_READ = ("tools/call", {"name": "list_scripts", "arguments": {}})
_TOOL = "ext__userscripts__list_scripts"
_IS_LISTED = f"globalThis.lumoPanel?.tools().includes('{_TOOL}')"
_CALL_ONCE = f"""
async () => {{
  const begin = performance.now();
  const result = await lumoPanel.call("{_TOOL}", {{}});
  if (result.isError) throw new Error(`failed while it was measured: ${{JSON.stringify(result)}}`);
  return performance.now() - begin;
}}
"""


@dataclass(frozen=True)
class _Rig:
    """Our provider, open for a host in our hand and for the real host, whose panel is open."""

    provider: Extension
    peer: ScriptedHost
    panel: Page


@contextmanager
def _rig(setting: Setting) -> Iterator[_Rig]:
    stderr_file = setting.folder / "provider-chromium.log"
    browser = ExtensionBrowser.launch(setting.playwright, binary=setting.binary, stderr_file=stderr_file)
    try:
        peer = ScriptedHost(browser.load_extension(write_host(setting.folder / "peer")))
        path = resources.extension_dir("provider")
        provider = browser.load_extension(path)
        peer.provider_id = provider.id
        stored = {RELAY_SETTINGS_KEY: {"enabled": False}, PROVIDERS_KEY: [provider.id]}
        host = browser.load_extension(setting.host, local_storage=stored)
        provider.storage.set(ProviderSetup.load(path / SETUP_FILE).storage("open", [peer.id, host.id]))
        panel = host.side_panel(browser.context.new_page())
        wait_until(lambda: panel.evaluate(_IS_LISTED), "the panel lists the provider's tool")
        yield _Rig(provider, peer, panel)
    finally:
        browser.close()


def _cold_probe(rig: _Rig) -> float:
    rig.provider.worker.stop()
    return rig.peer.probe_time()


def _call_after_stop(rig: _Rig) -> float:
    """From the panel: the host finds its port closed, probes, connects, initializes, lists and calls."""
    rig.provider.worker.stop()
    spent: float = rig.panel.evaluate(_CALL_ONCE)
    return spent


def measure_provider(setting: Setting) -> Iterator[Result]:
    """Milliseconds of each, as the asking side's clock has them."""
    with _rig(setting) as rig:
        session = rig.peer.session()
        warm = in_turn(
            {
                "probe": lambda: [rig.peer.probe_time() for _ in range(_CALLS)],
                "call": lambda: [session.request_time(*_READ) for _ in range(_CALLS)],
            },
            setting.rounds,
        )
        cold = in_turn(
            {
                "probe": lambda: [_cold_probe(rig) for _ in range(_STOPS)],
                "reconnect": lambda: [_call_after_stop(rig) for _ in range(_STOPS)],
            },
            max(1, setting.rounds // 2),
        )
    yield Result("probe_p50_ms", median_of(warm["probe"]), "ms")
    yield Result("provider_call_p50_ms", median_of(warm["call"]), "ms")
    yield Result("cold_probe_p50_ms", median_of(cold["probe"]), "ms")
    yield Result("provider_reconnect_p50_ms", median_of(cold["reconnect"]), "ms")
