"""Calls in flight when a port or a worker ends: a read is repeated once, anything else never."""

from __future__ import annotations

from collections import Counter

import pytest
from host_sessions import ECHO, UNKNOWN, WRITE, connected, said
from providers_panel import ProvidersPanel, error_of

from webmcp_e2e.browser import Extension
from webmcp_e2e.lumo.scripted import ScriptedProvider, tool
from webmcp_e2e.lumo_fixtures import MakeProvider

pytestmark = pytest.mark.webmcp_runtime("native")
host_conformance = pytest.mark.conformance("host")


@host_conformance
@pytest.mark.requirement("lumo.l1.inflight-read")
def test_a_read_in_flight_is_repeated_once_and_not_twice(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    dropped = connected(
        providers_panel, scripted_provider, namespace="dropped", calls={"echo": ["drop", "ok"]}
    )
    stopped = connected(
        providers_panel, scripted_provider, namespace="stopped", calls={"echo": ["hold", "ok"]}
    )
    lost = connected(providers_panel, scripted_provider, namespace="lost", calls={"echo": "drop"})

    assert said(providers_panel.call("ext__dropped__echo"))["execution"] == 2
    call = providers_panel.start_call("ext__stopped__echo")
    stopped.wait_for("call")
    stopped.worker.stop()
    assert said(providers_panel.result_of(call))["execution"] == 2
    assert error_of(providers_panel.call("ext__lost__echo")) == UNKNOWN

    for peer in (dropped, stopped, lost):
        assert len(peer.calls) == 2
        assert len(peer.messages("initialize")) == 2


WRITES = {
    "no_annotations": None,
    "no_hints": {},
    "not_read_only": {"readOnlyHint": False},
    "idempotent": {"idempotentHint": True},
    "hint_is_text": {"readOnlyHint": "true"},
}
"""Tools that do not say `readOnlyHint: true`: name and annotations."""


@pytest.fixture
def writers(providers_panel: ProvidersPanel, scripted_provider: MakeProvider) -> list[ScriptedProvider]:
    """Two connected providers whose writes end with their port (``drop``) or never (``hold``); later calls are fine."""
    tools = [tool(name, annotations=hints) for name, hints in WRITES.items()]
    del tools[0]["annotations"]
    return [
        connected(
            providers_panel,
            scripted_provider,
            namespace=end,
            tools=[*tools, "echo"],
            calls={name: [end, "ok"] for name in WRITES},
        )
        for end in ("drop", "hold")
    ]


@host_conformance
@pytest.mark.requirement("lumo.l1.inflight-write")
def test_a_write_in_flight_is_never_sent_again(
    providers_panel: ProvidersPanel, writers: list[ScriptedProvider]
) -> None:
    for number, name in enumerate(WRITES, start=1):
        for peer in writers:
            end = peer.behaviour.namespace
            call = providers_panel.start_call(f"ext__{end}__{name}")
            peer.wait_for("call", 2 * number - 1)
            if end == "hold":
                peer.worker.stop()
            result = providers_panel.result_of(call)
            assert error_of(result) == UNKNOWN, name
            assert "connection closed before a result; the outcome is unknown" in result["content"][0]["text"]
            # A later call goes over a new port: what was in flight is not in it.
            assert said(providers_panel.call(f"ext__{end}__echo"))["execution"] == number

    for peer in writers:
        assert [entry["tool"] for entry in peer.calls] == [step for name in WRITES for step in (name, "echo")]


@pytest.mark.requirement("lumo.l1.inflight-write", "lumo.l1.inflight-read")
def test_when_the_hosts_worker_stops_the_read_in_flight_is_repeated_and_the_write_is_not(
    host: Extension, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    plans = {"write": ["hold", "ok"], "echo": ["hold", "ok"]}
    peer = connected(providers_panel, scripted_provider, calls=plans)
    write, read = providers_panel.start_call(WRITE, n=1), providers_panel.start_call(ECHO, n=1)
    peer.wait_for("call", 2)

    host.worker.stop()

    assert error_of(providers_panel.result_of(write)) == UNKNOWN
    assert said(providers_panel.result_of(read))["execution"] == 2
    assert said(providers_panel.call(ECHO))["execution"] == 3
    assert Counter(call["tool"] for call in peer.calls) == {"write": 1, "echo": 3}
