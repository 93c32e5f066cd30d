"""A call's way over all hops of the real chain, on one clock, without a trace in what is watched."""

from __future__ import annotations

import pytest

from webmcp_e2e.browser import Extension
from webmcp_e2e.chain import Chain
from webmcp_e2e.hops import Call, Hops
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.requirement("harness.timeline"), pytest.mark.webmcp_runtime("native")]
SECRET = "hush-hush-0815"
WAY = [
    ("client", "rpc.out"), ("relay", "rpc.in"), ("relay", "socket.out"), ("worker", "socket.in"),
    ("worker", "port.out"), ("script", "port.in"), ("script", "window.out"), ("page", "window.in"),
]  # fmt: skip
PANEL_WAY = [("panel", "port.out"), ("script", "port.in"), ("script", "window.out"), ("page", "window.in")]
UNTOUCHED = """
() => ({
  ours: Object.getOwnPropertyNames(window).filter((name) => /^b[0-9a-f]{24}$/.test(name)),
  postMessage: String(window.postMessage),
})
"""
"""What a page can see of the tap: nothing."""


@pytest.fixture
def webmcp_secrets() -> list[str]:
    return [SECRET]


def ways(hops: Hops, phase: str) -> list[list[tuple[str, str]]]:
    """The places that each call of ``echo`` has passed."""
    kinds = {lane.id: lane.kind for lane in hops.recording().lanes}

    def way(call: Call) -> list[tuple[str, str]]:
        return [(kinds[step.lane], step.kind) for step in call.steps if step.phase == phase]

    return [way(call) for call in hops.calls() if call.tool == "echo"]


def test_each_call_is_seen_at_every_hop_there_and_back(chain: Chain, hops: Hops) -> None:
    chain.call("echo", {"text": "by relay"})
    chain.call("echo", {"text": SECRET})
    chain.call("echo", {"text": "by panel"}, via="panel")

    wait_until(lambda: all(call.ended for call in hops.calls()), "the last batches have come")
    wait_until(lambda: ways(hops, "request") == [WAY, WAY, PANEL_WAY], "every hop of every call is recorded")
    assert [way[-1] for way in ways(hops, "response")] == [
        ("client", "rpc.in"), ("client", "rpc.in"), ("panel", "port.in"),
    ]  # fmt: skip
    recording = hops.recording()
    for call in hops.calls():
        times = [step.t for step in call.steps]
        assert max(times) - min(times) < 60_000, "one clock"
    assert recording.lost == 0
    assert SECRET not in str(recording.records)
    native = "function postMessage() { [native code] }"
    assert chain.page.evaluate(UNTOUCHED) == {"ours": [], "postMessage": native}
    assert not chain.host.worker.debugger_attached


def test_generations_ports_and_errors_of_any_extension_are_recorded(
    chain: Chain, host: Extension, hops: Hops
) -> None:
    before = host.worker.generation
    host.worker.stop()
    host.worker.wait_running()
    chain.page.evaluate("setTimeout(() => { throw new Error('planted') }); console.error('said')")

    def kinds(kind: str) -> list[dict[str, object]]:
        return [record for record in hops.recording().records if record["kind"] == kind]

    wait_until(
        lambda: {one["generation"] for one in kinds("worker.start")} == {before, before + 1}, "two lives"
    )
    assert [one["generation"] for one in kinds("worker.stop")] == [before]
    wait_until(
        lambda: before + 1 in {one.get("generation") for one in kinds("port.open")}, "the new one's ports"
    )
    wait_until(lambda: any("planted" in str(one) for one in kinds("error")), "the page's uncaught error")
    wait_until(lambda: any("said" in str(one) for one in kinds("console")), "its console")
