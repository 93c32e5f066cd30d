"""A host under test and the providers that it talks to: sessions, calls, and what came of them."""

from __future__ import annotations

import json
from typing import Any

from providers_panel import ProvidersPanel, Result

from webmcp_e2e.lumo.scripted import ScriptedProvider
from webmcp_e2e.lumo_fixtures import MakeProvider

ECHO = "ext__scripted__echo"
WRITE = "ext__scripted__write"
UNKNOWN = ("outcome_unknown", "unknown")
"""Code and ``executed`` of a call whose port closed before its result."""


def connected(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider, **behaviour: Any
) -> ScriptedProvider:
    """A scripted provider that the host is connected to."""
    peer = scripted_provider(**behaviour)
    providers_panel.add(peer.id)
    providers_panel.expect_connected(peer.id, tools=len(peer.behaviour.tools))
    return peer


def said(result: Result) -> dict[str, Any]:
    """What a scripted tool answered."""
    assert not result.get("isError"), result
    answer: dict[str, Any] = json.loads(result["content"][0]["text"])
    return answer


def methods(peer: ScriptedProvider, port: int) -> list[str]:
    """The methods that came over one port, in order."""
    return [entry["message"].get("method") for entry in peer.messages() if entry["port"] == port]
