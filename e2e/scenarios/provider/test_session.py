"""L1: to whom any provider opens, and how it speaks."""

from __future__ import annotations

import pytest
from fixture_types import CallOf, Enter

from webmcp_e2e.lumo.models import MCP_REVISION
from webmcp_e2e.lumo.provider_setup import StateName
from webmcp_e2e.lumo.rules import admit_tools
from webmcp_e2e.lumo.scripted import ScriptedHost, initialize_params
from webmcp_e2e.lumo_fixtures import MakeHost
from webmcp_e2e.provider import Provider

pytestmark = [pytest.mark.conformance("provider"), pytest.mark.webmcp_runtime("native")]


@pytest.fixture
def shut(provider: Provider) -> list[StateName]:
    """The states of its set-up in which it lets nobody in."""
    states: list[StateName] = [state for state in ("off", "unlisted") if state in provider.setup.states]
    return states or pytest.skip("the provider's set-up has no state in which it lets nobody in")


@pytest.mark.requirement("lumo.auth.l1-gate")
def test_a_port_opens_for_who_is_let_in_ready_or_not(
    any_provider: Provider, peer: ScriptedHost, enter: Enter
) -> None:
    for state in any_provider.setup.states:
        if state not in ("open", "not_ready"):
            continue
        enter(state)

        session = peer.connect()

        assert session.initialize()["protocolVersion"] == MCP_REVISION, state
        assert session.tools(), state


@pytest.mark.requirement("lumo.auth.l1-gate")
def test_a_port_closes_for_who_is_not(
    any_provider: Provider, peer: ScriptedHost, enter: Enter, shut: list[StateName]
) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize_params()}
    for state in shut:
        enter("open")
        enter(state)

        session = peer.connect(hello)

        session.wait_closed()
        assert session.inbox == [], state


@pytest.mark.requirement("lumo.auth.recheck")
def test_an_open_session_is_refused_from_the_next_call_on(
    any_provider: Provider, peer: ScriptedHost, enter: Enter, call_of: CallOf, shut: list[StateName]
) -> None:
    tool, args = call_of("read")
    for state in shut:
        enter("open")
        session = peer.session()
        assert not session.call(tool, **args).get("isError")

        enter(state)

        [answer] = session.answers(*session.begin([(tool, args)]))
        assert answer is None or answer.get("error") or answer["result"].get("isError"), answer


@pytest.mark.conformance("provider", level="should")
@pytest.mark.requirement("lumo.auth.recheck")
def test_a_refusal_is_a_result_that_says_why(
    any_provider: Provider, peer: ScriptedHost, enter: Enter, call_of: CallOf
) -> None:
    tool, args = call_of("read")
    session = peer.session()
    enter("off")

    result = session.call(tool, **args)

    assert result["isError"] is True
    assert result["content"][0]["text"]


@pytest.mark.requirement("lumo.l1.sdk")
def test_the_handshake_is_that_of_the_one_revision(any_provider: Provider, peer: ScriptedHost) -> None:
    hello = peer.connect().initialize()
    old = initialize_params() | {"protocolVersion": "2024-11-05"}
    answer = peer.connect().request("initialize", old)

    assert hello["protocolVersion"] == MCP_REVISION
    assert "tools" in hello["capabilities"]
    assert hello["serverInfo"]["name"]
    assert "error" in answer or answer["result"]["protocolVersion"] == MCP_REVISION


@pytest.mark.requirement("lumo.limit.tools-64", "lumo.limit.tool-name", "lumo.limit.combined")
def test_its_own_tools_keep_the_limits(any_provider: Provider, peer: ScriptedHost) -> None:
    namespace = peer.probe()["service"]["namespace"]
    tools = peer.session().tools()

    names = [tool["name"] for tool in tools]
    assert admit_tools(any_provider.id, namespace, names).rejected == []
    assert {tool["inputSchema"]["type"] for tool in tools} == {"object"}


@pytest.mark.conformance("provider", level="should")
@pytest.mark.requirement("lumo.l1.sdk")
def test_every_tool_says_whether_it_only_reads(any_provider: Provider, peer: ScriptedHost) -> None:
    for tool in peer.session().tools():
        assert isinstance(tool.get("annotations", {}).get("readOnlyHint"), bool), tool["name"]


@pytest.mark.conformance("provider", level="should")
@pytest.mark.requirement("lumo.l1.instructions")
def test_the_instructions_are_there(any_provider: Provider, peer: ScriptedHost) -> None:
    assert peer.connect().initialize()["instructions"]


@pytest.mark.requirement("lumo.l1.business-failure")
def test_a_business_failure_is_a_result(any_provider: Provider, peer: ScriptedHost, call_of: CallOf) -> None:
    tool, args = call_of("fails")

    result = peer.session().call(tool, **args)

    assert result["isError"] is True
    assert result["content"][0]["text"]


@pytest.mark.requirement("lumo.l1.business-failure")
def test_a_protocol_fault_is_an_error(any_provider: Provider, peer: ScriptedHost) -> None:
    session = peer.session()

    unknown_tool = session.request("tools/call", {"name": "no_such_tool", "arguments": {}})
    unknown_method = session.request("no/such/method")

    assert unknown_tool["error"]["code"] == -32602
    assert unknown_method["error"]["code"] == -32601
    assert session.request("ping")["result"] == {}


@pytest.mark.requirement("lumo.l1.server-per-port")
def test_two_hosts_and_two_ports_do_not_mix(
    any_provider: Provider, peer: ScriptedHost, scripted_host: MakeHost, enter: Enter, call_of: CallOf
) -> None:
    other = scripted_host(any_provider.id)
    enter("open", other.id)
    sessions = [peer.session(), peer.session(), other.session()]

    # the same ids on all three, so that an answer on the wrong port could not be told by its id
    begun = [session.begin([call_of("read")]) for session in sessions]

    for session, ids in zip(sessions, begun, strict=True):
        [answer] = session.answers(*ids)
        assert answer
        assert "result" in answer
        answered = [message["id"] for message in session.inbox if "id" in message]
        assert answered == [1, 2], "each port has its own answers, each once"


@pytest.mark.requirement("lumo.l1.server-per-port")
def test_one_port_may_close_without_the_others(
    any_provider: Provider, peer: ScriptedHost, call_of: CallOf
) -> None:
    tool, args = call_of("read")
    first, second = peer.session(), peer.session()

    first.disconnect()

    assert not second.call(tool, **args).get("isError")


@pytest.mark.requirement("lumo.l1.reconnect-provider")
def test_after_a_recycle_a_new_port_gets_a_fresh_initialize(
    any_provider: Provider, peer: ScriptedHost, call_of: CallOf
) -> None:
    tool, args = call_of("read")
    before = peer.session()
    any_provider.worker.stop()
    before.wait_closed()

    after = peer.connect()

    assert after.inbox == []
    assert after.initialize()["protocolVersion"] == MCP_REVISION
    assert not after.call(tool, **args).get("isError")
    answered = [message["id"] for message in after.inbox if "id" in message]
    assert answered == [1, 2], "each request has one answer"
