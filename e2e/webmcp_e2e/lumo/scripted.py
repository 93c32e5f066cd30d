"""Scripted peers: real unpacked extensions that speak the extension protocol as a test says, right or wrong.

The fixtures ``scripted_provider`` and ``scripted_host`` make and load them. Outside pytest::

    folder = write_provider(tmp_path / "peer", ProviderBehaviour(probe="never"))
    peer = ScriptedProvider(browser.load_extension(folder), ProviderBehaviour(probe="never"))
"""

from webmcp_e2e.lumo.behaviour import ABSENT, CallAction, ConnectAction, ProbeAction, ProviderBehaviour, tool
from webmcp_e2e.lumo.peer_folder import LoadedExtension, unpacked_id
from webmcp_e2e.lumo.scripted_host import HostSession, ScriptedHost, initialize_params, write_host
from webmcp_e2e.lumo.scripted_provider import ScriptedProvider, write_provider

__all__ = [
    "ABSENT",
    "CallAction",
    "ConnectAction",
    "HostSession",
    "LoadedExtension",
    "ProbeAction",
    "ProviderBehaviour",
    "ScriptedHost",
    "ScriptedProvider",
    "initialize_params",
    "tool",
    "unpacked_id",
    "write_host",
    "write_provider",
]
