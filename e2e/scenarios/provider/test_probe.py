"""L0: what any provider answers to whom."""

from __future__ import annotations

import json

import pytest
from fixture_types import CallOf, Enter
from probe_shapes import malformed

from webmcp_e2e.lumo.models import ProbeAnswer, ProbeFailure, ProbeSuccess
from webmcp_e2e.lumo.provider_setup import StateName
from webmcp_e2e.lumo.rules import namespace_problem
from webmcp_e2e.lumo.scripted import ScriptedHost
from webmcp_e2e.lumo_fixtures import MakeHost
from webmcp_e2e.provider import Provider

pytestmark = [pytest.mark.conformance("provider"), pytest.mark.webmcp_runtime("native")]


@pytest.mark.requirement("lumo.probe.request")
def test_the_answer_has_exactly_the_contracts_shape(any_provider: Provider, peer: ScriptedHost) -> None:
    answer = ProbeSuccess.model_validate(peer.probe(), extra="forbid")

    assert namespace_problem(answer.service.namespace) is None
    assert answer.service.name
    assert answer.service.version


STANDINGS: dict[StateName, tuple[bool, bool | None, bool | None]] = {
    "open": (True, True, True),
    "off": (False, None, None),
    "unlisted": (True, False, None),
    "not_ready": (True, True, False),
}
"""What the status of a state says: enabled, authorized, ready; None is left to the provider."""


@pytest.mark.requirement("lumo.probe.policy-ok")
def test_every_policy_failure_is_ok_true(any_provider: Provider, peer: ScriptedHost, enter: Enter) -> None:
    for state in any_provider.setup.states:
        enter("open")
        enter(state)

        status = ProbeSuccess.model_validate(peer.probe(), extra="forbid").status

        enabled, authorized, ready = STANDINGS[state]
        assert status.enabled is enabled, state
        assert authorized is None or status.authorized is authorized, state
        assert ready is None or status.ready is ready, state
        assert not (status.authorized and status.pending_approval)
        assert len(status.reason or "") <= 200


@pytest.mark.conformance("provider", level="should")
@pytest.mark.requirement("lumo.probe.policy-ok")
def test_not_ready_says_why(any_provider: Provider, peer: ScriptedHost, enter: Enter) -> None:
    enter("not_ready")

    assert peer.probe()["status"].get("reason")


@pytest.mark.requirement("lumo.probe.version")
def test_another_version_is_refused(any_provider: Provider, peer: ScriptedHost) -> None:
    for version in (0, 2, -1, 1.5, 10**9):
        answer = ProbeFailure.model_validate(peer.probe(version=version), extra="forbid")
        assert answer.error.code == "unsupported_version", version


@pytest.mark.requirement("lumo.probe.malformed")
def test_malformed_requests_are_answered_or_left_alone(any_provider: Provider, peer: ScriptedHost) -> None:
    shapes = malformed(peer.request())
    assert len(shapes) == 100

    for shape in shapes:
        outcome = peer.send(shape)
        if isinstance(shape, dict) and shape.get("channel") == "lumo:probe":
            answer = ProbeAnswer.validate_python(outcome.get("value"))
            assert isinstance(answer, ProbeFailure), shape
            assert answer.error.code in {"bad_request", "unsupported_version"}, shape
        else:
            assert "value" not in outcome, (shape, outcome)

    assert peer.probe()["ok"] is True
    assert any_provider.worker.generation == 1


@pytest.mark.requirement("lumo.probe.foreign-channel")
def test_a_foreign_channel_is_left_to_other_listeners(any_provider: Provider, peer: ScriptedHost) -> None:
    any_provider.worker.evaluate(
        """() => chrome.runtime.onMessageExternal.addListener((message, sender, answer) => {
             if (message?.channel === "other") answer({heard: message.text});
           })"""
    )

    assert peer.send({"channel": "other", "text": "hello"}) == {"value": {"heard": "hello"}}
    nobodys = peer.send(peer.request(channel="nobody's"))
    assert "value" not in nobodys, "it answered where it was not asked"
    assert peer.probe()["ok"] is True


@pytest.mark.requirement("lumo.probe.metadata-only")
def test_no_answer_carries_a_tool(any_provider: Provider, peer: ScriptedHost) -> None:
    listed = peer.session().tools()
    assert listed

    answers = json.dumps([peer.probe(), peer.probe(version=2), peer.probe(client=None)])

    for word in ["inputSchema", *(tool["name"] for tool in listed)]:
        assert word not in answers


@pytest.mark.requirement("lumo.probe.wakes")
def test_a_probe_wakes_a_stopped_worker(any_provider: Provider, peer: ScriptedHost) -> None:
    for _ in range(10):
        any_provider.worker.stop()
        generation = any_provider.worker.generation

        assert peer.probe()["ok"] is True
        assert any_provider.worker.generation == generation + 1


@pytest.mark.requirement("lumo.l1.sync-listeners")
def test_a_port_wakes_a_stopped_worker(any_provider: Provider, peer: ScriptedHost, call_of: CallOf) -> None:
    tool, args = call_of("read")
    # Now and then a listener that is registered late is still in time: one of ten is not.
    for _ in range(10):
        any_provider.worker.stop()

        assert not peer.session().call(tool, **args).get("isError")


@pytest.mark.requirement("lumo.auth.sender-id")
def test_a_forged_client_changes_nothing(
    any_provider: Provider, peer: ScriptedHost, scripted_host: MakeHost
) -> None:
    stranger = scripted_host(any_provider.id)
    as_peer = {"id": peer.id, "name": "Lumo", "version": "1"}
    as_stranger = {"id": stranger.id, "name": "Stranger", "version": "1"}

    assert stranger.probe(client=as_peer)["status"]["authorized"] is False
    stranger.connect().wait_closed()
    assert peer.probe(client=as_stranger)["status"]["authorized"] is True


@pytest.mark.requirement("lumo.auth.pending-list")
def test_an_unknown_sender_waits_only_while_the_provider_is_on(
    any_provider: Provider, enter: Enter, scripted_host: MakeHost
) -> None:
    stranger = scripted_host(any_provider.id)
    enter("off")
    assert stranger.probe()["status"]["pendingApproval"] is False
    enter("open")

    flags = [stranger.probe()["status"] for _ in range(2)]

    assert [(status["authorized"], status["pendingApproval"]) for status in flags] == [(False, True)] * 2
