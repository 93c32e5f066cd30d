"""L1 from the host's side over the ends of ports and workers: a closed port is not a deleted service."""

from __future__ import annotations

import pytest
from host_sessions import ECHO, WRITE, connected, said
from providers_panel import ProvidersPanel, error_of

from webmcp_e2e.browser import Extension
from webmcp_e2e.lumo_fixtures import MakeProvider

pytestmark = pytest.mark.webmcp_runtime("native")
host_conformance = pytest.mark.conformance("host")


@host_conformance
@pytest.mark.requirement("lumo.l1.reconnect-provider")
def test_after_the_providers_worker_was_recycled_the_next_call_works(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider, initialize="replay")
    assert said(providers_panel.call(ECHO, n=1))["execution"] == 1

    peer.worker.stop()
    providers_panel.wait_for_tools(ECHO, WRITE)
    providers_panel.expect_connected(peer.id, tools=2)
    assert peer.worker.status == "stopped", "nothing wakes it without need"
    assert len(peer.probes) == 1

    assert said(providers_panel.call(ECHO, n=2))["args"] == {"n": 2}
    peer.worker.stop()
    assert said(providers_panel.call(WRITE, n=3))["args"] == {"n": 3}

    assert len(peer.messages("initialize")) == 3, "a fresh handshake on each port"
    assert len(peer.messages("tools/list")) == 3, "tools are refreshed"
    assert len(peer.probes) == 3, "asked anew before a call when no port is open"
    assert [call["args"]["n"] for call in peer.calls] == [1, 2, 3]


@host_conformance
@pytest.mark.requirement("lumo.l1.reconnect-provider", "lumo.l1.list-changed")
def test_what_changed_while_no_port_was_open_is_seen_before_the_call(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider)

    peer.worker.stop()
    peer.behave(tools=["echo"])
    assert error_of(providers_panel.call(WRITE)) == ("unknown_tool", "no")
    providers_panel.wait_for_tools(ECHO)
    assert len(peer.connects) == 2

    peer.worker.stop()
    peer.behave(enabled=False)
    assert error_of(providers_panel.call(ECHO)) == ("denied", "no")
    providers_panel.expect_error(peer.id, "disabled", "Agent access is turned off in the provider")
    assert len(peer.connects) == 2, "who does not let us in is not connected to"
    assert peer.calls == []


class TestReplay:
    """A provider that answers every new port with the answer of its first ``initialize``, and nothing else."""

    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"handshakeAttempt": 1_500}

    @pytest.mark.requirement("lumo.l1.reconnect-provider")
    def test_a_replayed_initialize_is_no_handshake(
        self, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
    ) -> None:
        peer = connected(providers_panel, scripted_provider, initialize="replay")
        peer.worker.stop()
        peer.behave(silent=["initialize"])

        refused = providers_panel.call(ECHO)

        assert error_of(refused) == ("not_ready", "no")
        assert len(peer.messages("initialize")) >= 2
        assert len(peer.messages("notifications/initialized")) == 1
        assert peer.calls == []


@pytest.mark.requirement("lumo.l1.reconnect-host")
def test_the_session_survives_the_hosts_worker(
    host: Extension, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider)
    generation = host.worker.generation

    host.worker.stop()
    providers_panel.show("relay")
    providers_panel.panel.get_by_test_id("relay-reconnect").click()
    host.worker.wait_running()
    providers_panel.show("providers")

    providers_panel.expect_connected(peer.id, tools=2)
    assert host.worker.generation == generation + 1
    assert len(peer.probes) == 1, "what was stored is enough to list the tools"

    assert said(providers_panel.call(ECHO))["execution"] == 1
    assert len(peer.messages("initialize")) == 2
    assert peer.connects[1]["port"] != peer.connects[0]["port"]


@host_conformance
@pytest.mark.requirement("lumo.l1.reconnect-host", "lumo.l1.reconnect-provider")
def test_both_workers_recycled_the_next_call_works(
    host: Extension, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider)

    for n, name in enumerate((ECHO, WRITE, WRITE), start=1):
        host.worker.stop()
        peer.worker.stop()
        assert said(providers_panel.call(name, n=n))["args"] == {"n": n}

    assert [call["args"]["n"] for call in peer.calls] == [1, 2, 3]
    assert len(peer.messages("initialize")) == 4


@pytest.mark.idling
@host_conformance
@pytest.mark.requirement("lumo.l1.reconnect-host", "lumo.l1.reconnect-provider")
def test_an_open_session_lets_both_workers_idle_and_comes_back(
    host: Extension, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = connected(providers_panel, scripted_provider)

    peer.worker.wait_idle(timeout=60)
    host.worker.wait_idle(timeout=60)

    assert said(providers_panel.call(WRITE))["execution"] == 1
    assert len(peer.probes) == 2, "nobody was asked while there was no need"
