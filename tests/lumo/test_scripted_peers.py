"""Scripted peers do what they are told, held against each other in a real browser."""

from typing import Any

import pytest

from webmcp_e2e.lumo.scripted import HostSession, ScriptedHost, ScriptedProvider, unpacked_id
from webmcp_e2e.lumo_fixtures import MakeHost, MakeProvider
from webmcp_e2e.waiting import wait_until

INTERNAL = {"code": -32603, "message": "as told"}


@pytest.fixture
def host(scripted_host: MakeHost) -> ScriptedHost:
    return scripted_host()


@pytest.fixture
def peer(scripted_provider: MakeProvider, host: ScriptedHost) -> ScriptedProvider:
    made = scripted_provider()
    host.provider_id = made.id
    return made


def raw_call(session: HostSession, tool: str = "echo") -> dict[str, Any] | None:
    """The answer to one call, or None where the port closed first."""
    [answer] = session.answers(*session.begin([(tool, {})]))
    return answer


def test_ids_are_known_before_they_are_loaded(host: ScriptedHost, peer: ScriptedProvider) -> None:
    for made in (host, peer):
        assert made.id == unpacked_id(made.extension.path)  # type: ignore[attr-defined]


def test_probes(host: ScriptedHost, peer: ScriptedProvider) -> None:
    assert host.probe()["status"]["authorized"] is True
    assert peer.probes[0]["sender"] == host.id

    peer.behave(answer=None)
    assert host.send(host.request()) == {"value": None}
    peer.behave(answer={"ok": 1})
    assert host.send(host.request()) == {"value": {"ok": 1}}
    peer.behave(probe="leave")
    assert host.send(host.request()) == {"nothing": True}
    peer.behave(probe=["answer"] * 4 + ["leave", "answer"])
    assert [host.send(host.request()) for _ in range(2)] == [{"nothing": True}, {"value": {"ok": 1}}]
    peer.behave(probe="die")
    assert "value" not in host.send(host.request())


def test_a_plan_counts_over_all_lives_of_the_worker(host: ScriptedHost, peer: ScriptedProvider) -> None:
    peer.behave(calls={"echo": ["drop", "die", "ok"]})

    assert raw_call(host.session()) is None
    assert raw_call(host.session()) is None
    peer.wait_for("started", 2)
    peer.worker.stop()
    # A port that is opened in the moment in which Chromium clears the old worker away ends with it.
    answer = raw_call(wait_until(host.session, "a session with the next worker"))

    assert answer
    assert '"execution":3' in answer["result"]["content"][0]["text"]
    assert [call["action"] for call in peer.calls] == ["drop", "die", "ok"]
    assert len(peer.journal("started")) >= 3


def test_listeners_that_throw_or_look_away(host: ScriptedHost, scripted_provider: MakeProvider) -> None:
    host.provider_id = scripted_provider(probe="throw").id
    assert "the listener throws" in host.send(host.request())["rejected"]
    host.provider_id = scripted_provider(probe="leave").id
    assert host.send(host.request()) == {"nothing": True}
    host.provider_id = scripted_provider(manifest={"externally_connectable": {"ids": ["b" * 32]}}).id
    assert "Could not establish connection" in host.send(host.request())["rejected"]


def test_ports(host: ScriptedHost, peer: ScriptedProvider) -> None:
    peer.behave(connect="refuse")
    host.connect().wait_closed()

    hello = {"jsonrpc": "2.0", "id": 0, "result": {"old": True}}
    peer.behave(connect="serve", early=[hello], flood=3)
    session = host.session()
    session.wait_for_notification("notifications/message", 3)
    assert session.inbox[0] == hello

    assert peer.drop_ports() == 1
    session.wait_closed()
    assert [entry["action"] for entry in peer.connects] == ["refuse", "serve"]


def test_calls(host: ScriptedHost, peer: ScriptedProvider) -> None:
    actions = ["ok", "fail", "error", "malformed", "twice", "flood", "late", "hold"]
    peer.behave(calls={"echo": actions}, late_ms=50)
    session = host.session()
    ids = session.begin([("echo", {"n": n}) for n in range(len(actions))])
    peer.wait_for("call", len(actions))
    assert peer.release() == 1

    answers = dict(zip(actions, session.answers(*ids), strict=True))

    assert all(answers.values())
    assert answers["fail"]["result"]["isError"] is True
    assert answers["error"]["error"]["code"] == -32603
    assert answers["malformed"]["result"] == {"content": "scripted: no list"}
    twice = ids[actions.index("twice")]
    assert [message.get("id") for message in session.inbox].count(twice) == 2
    session.wait_for_notification("notifications/message", 1_000)


def test_an_answer_to_nobody(host: ScriptedHost, peer: ScriptedProvider) -> None:
    peer.behave(call=["wrong_id", "never", "ok"])
    session = host.session()
    lost = session.begin([("echo", {}), ("write", {})])

    assert "result" in session.request("ping")
    peer.wait_for("call", 2)

    answered = {message.get("id") for message in session.inbox}
    assert answered.isdisjoint(lost)
    assert 987654 in answered


def test_any_method_can_be_silent_wrong_or_refused(host: ScriptedHost, peer: ScriptedProvider) -> None:
    peer.behave(silent=["ping"], results={"tools/list": {"tools": "none"}}, errors={"tools/call": INTERNAL})
    session = host.session()
    session.post(session.numbered("ping"))

    assert session.request("tools/list")["result"] == {"tools": "none"}
    assert session.request("tools/call", {"name": "echo"})["error"] == INTERNAL
    peer.wait_for_message("ping")
    assert 2 not in [message.get("id") for message in session.inbox], "the ping's id"


def test_listings(host: ScriptedHost, peer: ScriptedProvider) -> None:
    peer.behave(tools=["a", "a", "b"], page_size=2)
    session = host.session()
    assert [tool["name"] for tool in session.tools()] == ["a", "a", "b"]

    peer.change_tools("c")
    session.wait_for_notification("notifications/tools/list_changed")
    assert [tool["name"] for tool in session.tools()] == ["c"]

    peer.behave(endless=True)
    page = session.request("tools/list", {"cursor": "500"})["result"]
    assert (page["tools"][0]["name"], page["nextCursor"]) == ("endless_500", "502")


def test_an_old_initialize_is_replayed(host: ScriptedHost, peer: ScriptedProvider) -> None:
    host.session()
    peer.behave(initialize="replay", instructions="new")

    session = host.connect()
    fresh = session.initialize()

    assert session.inbox[0]["result"]["instructions"] == "Scripted."
    assert fresh["instructions"] == "Scripted.", "it has the id that a client who counts from 1 asks under"


def test_a_behaviour_can_change_while_the_worker_is_stopped(
    host: ScriptedHost, peer: ScriptedProvider
) -> None:
    peer.worker.stop()

    peer.behave(enabled=False)

    assert peer.worker.status == "stopped"
    assert host.probe()["status"]["enabled"] is False
