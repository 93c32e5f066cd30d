"""Names and limits, enforced by the host for each provider; nothing is dropped without a word."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from providers_panel import ProvidersPanel

from webmcp_e2e.browser import Extension
from webmcp_e2e.lumo.rules import NAME_RULES, RESERVED_NAMESPACES, NameRule, admit_tools, model_name
from webmcp_e2e.lumo.scripted import ScriptedProvider, tool
from webmcp_e2e.lumo_fixtures import MakeProvider
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.conformance("host")]


def expect_as_the_rules_say(
    providers_panel: ProvidersPanel, peer: ScriptedProvider, namespace: str, names: list[str]
) -> None:
    """The host takes over and rejects what the pure rules do, and says which rule."""
    admission = admit_tools(peer.id, namespace, names)
    providers_panel.expect_connected(peer.id, tools=len(admission.accepted), rejected=len(admission.rejected))
    expected = [model_name(namespace, names[index]) for index in admission.accepted]
    wait_until(lambda: providers_panel.tools() == expected, f"the tools are {expected}")
    rejected = [(names[index], rule) for index, rule in admission.rejected]
    assert providers_panel.rejections(peer.id) == rejected
    assert providers_panel.rule_texts(peer.id) == [NAME_RULES[rule] for _, rule in admission.rejected]


@pytest.mark.requirement("lumo.limit.tools-64")
def test_the_first_64_tools_stay(providers_panel: ProvidersPanel, scripted_provider: MakeProvider) -> None:
    names = [f"tool_{number}" for number in range(70)]
    peer = scripted_provider(tools=names[:64])
    providers_panel.add(peer.id)
    expect_as_the_rules_say(providers_panel, peer, "scripted", names[:64])

    for count in (65, 70):
        peer.change_tools(*names[:count])
        expect_as_the_rules_say(providers_panel, peer, "scripted", names[:count])
        assert len(providers_panel.tools()) == 64


GOOD_NAMESPACES = ["a", "a1_b2", "n" * 16]
BAD_NAMESPACES = ["n" * 17, "a__b", "_a", "a_", "1a", "A", "a-b", "a\n", "a.b", ""]


@pytest.mark.requirement("lumo.limit.namespace", "lumo.limit.reserved")
def test_a_namespace_keeps_to_the_grammar_and_is_not_reserved(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    namespaces = [*GOOD_NAMESPACES, *BAD_NAMESPACES, *RESERVED_NAMESPACES]
    peers = {namespace: scripted_provider(namespace=namespace, tools=["echo"]) for namespace in namespaces}

    providers_panel.add(*(peer.id for peer in peers.values()))

    for namespace in GOOD_NAMESPACES:
        providers_panel.expect_connected(peers[namespace].id, tools=1)
    rules: dict[str, NameRule] = dict.fromkeys(BAD_NAMESPACES, "namespace")
    rules |= dict.fromkeys(RESERVED_NAMESPACES, "reserved")
    for namespace, rule in rules.items():
        peer = peers[namespace]
        providers_panel.expect_connected(peer.id, tools=0, rejected=1)
        assert providers_panel.rejections(peer.id) == [("echo", rule)]
        assert providers_panel.rule_texts(peer.id) == [NAME_RULES[rule]]
    providers_panel.wait_for_tools(*(f"ext__{namespace}__echo" for namespace in GOOD_NAMESPACES))


@pytest.mark.requirement("lumo.limit.tool-name")
def test_a_tools_name_keeps_to_the_grammar_and_40_and_the_tool_to_its_shape(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    good = ["a", "Z9_-", "n" * 40]
    bad = ["n" * 41, "9a", "_a", "-a", "a.b", "a b", "é", "", "a\n"]
    peer = scripted_provider(namespace="ns", tools=[tool(name) for name in [*good, *bad]])
    providers_panel.add(peer.id)
    expect_as_the_rules_say(providers_panel, peer, "ns", [*good, *bad])
    assert providers_panel.tools() == [f"ext__ns__{name}" for name in good]

    schemaless = {"name": "schemaless"}
    odd = {"name": "odd", "inputSchema": "text"}
    long = tool("long", description="x" * 5_000)
    listing = {"tools": [schemaless, odd, long, 7, tool("good")]}
    shapeless = scripted_provider(namespace="odd", results={"tools/list": listing})
    providers_panel.add(shapeless.id)
    providers_panel.expect_connected(shapeless.id, tools=1, rejected=4)
    assert providers_panel.tools("odd") == ["ext__odd__good"]
    assert dict(providers_panel.rejections(shapeless.id)) == {
        "schemaless": "shape",
        "odd": "shape",
        "long": "shape",
        "": "tool_name",
    }


@pytest.mark.requirement("lumo.limit.combined")
def test_namespace_and_tool_of_57_pass_and_of_58_do_not(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    namespace, fits, long = "n" * 16, "t" * 39, "t" * 40
    peer = scripted_provider(namespace=namespace, tools=[long, fits])

    providers_panel.add(peer.id)

    expect_as_the_rules_say(providers_panel, peer, namespace, [long, fits])
    assert providers_panel.tools() == [f"ext__{namespace}__{fits}"]
    assert providers_panel.rejections(peer.id) == [(long, "combined")]
    assert not providers_panel.call(f"ext__{namespace}__{fits}").get("isError")


@pytest.mark.requirement("lumo.limit.collision")
def test_the_first_of_two_tools_with_one_name_stays(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    tools = [tool("same", description="first"), tool("other"), tool("same", description="second")]
    peer = scripted_provider(tools=tools)

    providers_panel.add(peer.id)

    expect_as_the_rules_say(providers_panel, peer, "scripted", ["same", "other", "same"])
    providers_panel.show("tools")
    card = providers_panel.panel.locator('[data-testid="tool"][data-tool="ext__scripted__same"]')
    card.locator("summary").click()
    expect(card).to_contain_text("first")


@pytest.mark.requirement("lumo.limit.collision")
def test_the_order_of_the_list_decides_and_not_that_of_answering(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    pairs = {
        namespace: [
            scripted_provider(namespace=namespace, probe_delay_ms=700 if place == slow else 0)
            for place in (0, 1)
        ]
        for namespace, slow in (("first_slow", 0), ("second_slow", 1))
    }

    # One pair after the other: who is being asked for the first time holds up those after it.
    for namespace, (first, second) in pairs.items():
        providers_panel.add(first.id, second.id)
        providers_panel.expect_connected(first.id, tools=2)
        providers_panel.expect_connected(second.id, tools=0, rejected=2)
        assert {rule for _, rule in providers_panel.rejections(second.id)} == {"namespace_taken"}
        said: Any = providers_panel.call(f"ext__{namespace}__echo")
        assert not said.get("isError")
        assert len(first.calls) == 1
        assert second.calls == []


@pytest.mark.requirement("lumo.limit.collision")
def test_a_namespace_stays_with_the_provider_that_had_it_first(
    host: Extension, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    late, owner = scripted_provider(namespace="late"), scripted_provider(namespace="mine")
    providers_panel.add(late.id, owner.id)
    providers_panel.expect_connected(owner.id, tools=2)
    providers_panel.expect_connected(late.id, tools=2)

    late.behave(namespace="mine")
    owner.behave(enabled=False)
    host.reload()
    providers_panel.reopen()

    providers_panel.expect_error(owner.id, "disabled", "Agent access is turned off in the provider")
    providers_panel.expect_connected(late.id, tools=0, rejected=2)
    assert {rule for _, rule in providers_panel.rejections(late.id)} == {"namespace_taken"}

    providers_panel.remove(owner.id)
    providers_panel.expect_connected(late.id, tools=2)
