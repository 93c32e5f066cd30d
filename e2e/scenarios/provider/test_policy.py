"""What our provider's switches, allowlist and readiness do on the wire."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from fixture_types import Allow
from userscript_calls import error_code, source_of

from webmcp_e2e.lumo.models import ProbeSuccess
from webmcp_e2e.lumo.scripted import ScriptedHost
from webmcp_e2e.lumo_fixtures import MakeHost
from webmcp_e2e.provider import Provider, allowlist_entry

pytestmark = pytest.mark.webmcp_runtime("native")


@pytest.mark.requirement("lumo.probe.request")
def test_it_introduces_itself(provider: Provider, peer: ScriptedHost) -> None:
    service = ProbeSuccess.model_validate(peer.probe()).service

    assert (service.namespace, service.name) == ("userscripts", "Lumo Userscripts")
    assert service.version == provider.version


@pytest.mark.requirement("lumo.probe.policy-ok")
def test_every_combination_of_flags_is_told(
    provider: Provider, peer: ScriptedHost, allow_user_scripts: Allow
) -> None:
    for ready, endpoint, authorized in itertools.product([True, False], repeat=3):
        if endpoint and authorized:
            allow_user_scripts(ready)
        provider.set_policy(endpoint=endpoint)
        provider.storage.set({"allowlist": [allowlist_entry(peer.id)] if authorized else []})

        status = ProbeSuccess.model_validate(peer.probe(), extra="forbid").status

        assert (status.enabled, status.authorized, status.ready) == (endpoint, authorized, ready)
        assert status.pending_approval == (endpoint and not authorized)
        assert (status.reason is None) == ready
        assert ready or 0 < len(status.reason or "") <= 200
        provider.storage.remove("pendingApprovals")


@pytest.mark.requirement("lumo.probe.metadata-only")
def test_no_answer_carries_a_script(provider: Provider, peer: ScriptedHost) -> None:
    peer.session().call("create_script", source=source_of("ANameThatNobodyMayLearn"))

    answers = json.dumps([peer.probe(), peer.probe(version=2), peer.probe(client=None)])

    assert "ANameThatNobodyMayLearn" not in answers


@pytest.mark.requirement("lumo.auth.sender-id")
def test_the_real_id_waits_for_approval(
    provider: Provider, peer: ScriptedHost, scripted_host: MakeHost
) -> None:
    stranger = scripted_host(provider.id)

    stranger.probe(client={"id": peer.id, "name": "Lumo", "version": "1"})

    assert [sender["id"] for sender in provider.storage.get("pendingApprovals")] == [stranger.id]


@pytest.mark.requirement("lumo.auth.recheck")
def test_each_switch_takes_effect_on_the_next_call(provider: Provider, peer: ScriptedHost) -> None:
    session = peer.session()
    source = source_of("one")
    assert error_code(session.call("create_script", source=source)) is None

    provider.set_policy(write=False)
    assert error_code(session.call("create_script", source=source)) == "denied"
    assert error_code(session.call("list_scripts")) is None

    provider.set_policy(write=True, review=True)
    assert session.call("create_script", source=source)["structuredContent"]["status"] == "pending_approval"

    provider.set_policy(endpoint=False, review=False)
    assert error_code(session.call("list_scripts")) == "denied"

    provider.set_policy(endpoint=True)
    provider.disallow(peer.id)
    assert error_code(session.call("list_scripts")) == "denied"
    assert error_code(session.call("create_script", source=source)) == "denied"

    provider.allow(peer.id)
    assert error_code(session.call("create_script", source=source)) is None


@pytest.mark.requirement("lumo.auth.l1-gate", "lumo.l1.business-failure")
def test_without_the_toggle_only_what_needs_it_fails(provider: Provider, peer: ScriptedHost) -> None:
    session = peer.session()
    uuid = session.call("create_script", source=source_of("one"))["structuredContent"]["uuid"]

    result = session.call("set_script_enabled", uuid=uuid, enabled=True)

    assert error_code(result) == "not_ready"
    assert "Allow User Scripts" in result["content"][0]["text"]
    assert error_code(session.call("list_scripts")) is None


@pytest.mark.requirement("lumo.l1.instructions")
def test_instructions_say_the_policy_at_each_initialize(
    provider: Provider, peer: ScriptedHost, allow_user_scripts: Allow
) -> None:
    early = peer.connect()
    provider.set_policy(write=False, review=True)
    assert "endpoint on, write off, review on, ready no" in early.initialize()["instructions"]

    provider.set_policy(write=True, review=False)
    allow_user_scripts(True)
    assert "endpoint on, write on, review off, ready yes" in peer.connect().initialize()["instructions"]


@pytest.mark.requirement("lumo.l1.reconnect-provider")
def test_after_a_recycle_the_instructions_are_those_of_now(provider: Provider, peer: ScriptedHost) -> None:
    first = peer.connect()
    before = first.initialize()
    provider.worker.stop()
    first.wait_closed()
    provider.set_policy(write=False)

    after = peer.connect().initialize()

    assert "write on" in before["instructions"]
    assert "write off" in after["instructions"], "an old initialize result was replayed"


@pytest.mark.requirement("lumo.l1.sdk")
def test_tools_are_listed_with_honest_annotations(provider: Provider, peer: ScriptedHost) -> None:
    session = peer.connect()
    hello = session.initialize()

    hints: dict[str, Any] = {tool["name"]: tool["annotations"] for tool in session.tools()}

    assert hello["capabilities"]["tools"]["listChanged"] is True
    assert hello["serverInfo"]["name"] == "Lumo Userscripts"
    reading = {name for name, hint in hints.items() if hint["readOnlyHint"]}
    assert reading == {"list_scripts", "get_script", "search_scripts"}
    assert hints["delete_script"]["destructiveHint"] is True
    assert hints["create_script"]["destructiveHint"] is False


UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.mark.requirement("lumo.l1.business-failure")
def test_wrong_arguments_are_a_result(provider: Provider, peer: ScriptedHost) -> None:
    session = peer.session()
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("get_script", {"uuid": UNKNOWN}),
        ("get_script", {"uuid": 7}),
        ("create_script", {"source": "no metadata"}),
        ("update_script", {"uuid": UNKNOWN, "source": source_of("x"), "version": 1}),
        ("delete_script", {"uuid": UNKNOWN}),
        ("search_scripts", {}),
    ]

    for (tool, _), result in zip(wrong, session.call_all(wrong), strict=True):
        assert error_code(result) == "invalid_args", tool
        assert result["content"][0]["text"].startswith("invalid_args: ")


@pytest.mark.requirement("lumo.l1.server-per-port")
def test_each_ports_writes_are_its_own(
    provider: Provider, peer: ScriptedHost, scripted_host: MakeHost
) -> None:
    other = scripted_host(provider.id)
    provider.allow(other.id)
    sessions = [peer.session(), peer.session(), other.session()]

    created = [
        session.call("create_script", source=source_of(f"s{at}")) for at, session in enumerate(sessions)
    ]

    uuids = [result["structuredContent"]["uuid"] for result in created]
    assert len(set(uuids)) == 3
    for session, uuid in zip(sessions, uuids, strict=True):
        assert session.inbox[-1]["result"]["structuredContent"]["uuid"] == uuid
    senders = [entry["senderId"] for entry in provider.storage.get("audit")]
    assert senders == [peer.id, peer.id, other.id]
