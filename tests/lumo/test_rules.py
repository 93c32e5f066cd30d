"""The rules by themselves: rows of the table, edges of the limits, invariants of the window."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webmcp_e2e.lumo import audit, rules
from webmcp_e2e.lumo.rules import Answered, Rejected, TimedOut, Undefined, admit_tools, classify

SERVICE = {"namespace": "notes", "name": "Notes", "version": "1"}
MINE, OTHER = "a" * 32, "b" * 32


def answer(**status: Any) -> Answered:
    """A right answer whose status is all well except for ``status``."""
    well = {"enabled": True, "authorized": True, "ready": True, "pendingApproval": False}
    return Answered({"ok": True, "service": SERVICE, "status": well | status})


PENDING = answer(authorized=False, pendingApproval=True)


@pytest.mark.parametrize(
    ("outcome", "code", "text"),
    [
        (Rejected("x"), "not_installed", "Extension not installed, or it has no agent endpoint"),
        (TimedOut(), "timeout", "Probe timed out after 1500 ms"),
        (Answered({"ok": False, "error": {"message": "Broken"}}), "protocol_error", "Broken"),
        (Answered({"ok": False}), "protocol_error", "Protocol error"),
        (Answered({"ok": False, "error": {"message": ""}}), "protocol_error", "Protocol error"),
        (Undefined(), "incomplete", "Probe response is incomplete"),
        (Answered(None), "incomplete", "Probe response is incomplete"),
        (Answered([]), "incomplete", "Probe response is incomplete"),
        (Answered({"ok": 0, "error": {}}), "incomplete", "Probe response is incomplete"),
        (Answered({"ok": True, "service": SERVICE}), "incomplete", "Probe response is incomplete"),
        (answer(ready="yes"), "incomplete", "Probe response is incomplete"),
        (answer(reason=None), "incomplete", "Probe response is incomplete"),
        (answer(enabled=False), "disabled", "Agent access is turned off in the provider"),
        (PENDING, "pending_approval", "Waiting for your approval in the provider"),
        (answer(authorized=False), "not_authorized", "This extension is not on the provider's allowlist"),
        (answer(ready=False), "not_ready", "The provider is not ready"),
        (answer(ready=False, reason="Unplugged"), "not_ready", "Unplugged"),
        (answer(ready=False, reason="x" * 300), "not_ready", "x" * 200),
        (answer(), "", ""),
        (answer(pendingApproval=True), "", ""),
    ],
)  # fmt: skip
def test_rows(outcome: rules.ProbeOutcome, code: str, text: str) -> None:
    state = classify(outcome)
    assert (state.code, state.text) == (code, text)
    assert (state.state == "connected") == (code == "")


@pytest.mark.parametrize(
    ("enabled", "authorized", "ready", "pending"), [*itertools.product([True, False], repeat=4)]
)
def test_first_match_wins_for_every_combination(
    enabled: bool, authorized: bool, ready: bool, pending: bool
) -> None:
    state = classify(answer(enabled=enabled, authorized=authorized, ready=ready, pendingApproval=pending))
    expected = [
        code
        for failed, code in (
            (not enabled, "disabled"),
            (not authorized and pending, "pending_approval"),
            (not authorized, "not_authorized"),
            (not ready, "not_ready"),
            (True, ""),
        )
        if failed
    ]
    assert state.code == expected[0]


def test_only_a_dead_worker_is_probed_again() -> None:
    again = [Undefined(), Rejected("... but the message channel closed before a response was received")]
    once = [Rejected("Receiving end does not exist."), TimedOut(), Answered(None), answer()]
    assert all(map(rules.died_in_probe, again))
    assert not any(map(rules.died_in_probe, once))


@pytest.mark.parametrize("namespace", ["a", "a1", "user_scripts", "a" * 16, "a_b_c"])
def test_good_namespaces(namespace: str) -> None:
    assert rules.namespace_problem(namespace) is None


@pytest.mark.parametrize("namespace", ["", "A", "1a", "_a", "a_", "a__b", "a-b", "a" * 17, "ä", "a\n"])
def test_bad_namespaces(namespace: str) -> None:
    assert rules.namespace_problem(namespace) == "namespace"


@pytest.mark.parametrize("namespace", rules.RESERVED_NAMESPACES)
def test_reserved_namespaces_reject_everything(namespace: str) -> None:
    assert admit_tools(MINE, namespace, ["a", "b"]).rejected == [(0, "reserved"), (1, "reserved")]


def test_edges_of_the_names() -> None:
    assert rules.tool_problem("n", "t" * 40) is None
    assert rules.tool_problem("n", "t" * 41) == "tool_name"
    assert len(rules.combined_name("n" * 16, "t" * 39)) == 57
    assert rules.tool_problem("n" * 16, "t" * 39) is None
    assert rules.tool_problem("n" * 16, "t" * 40) == "combined"
    assert len(rules.model_name("n" * 16, "t" * 39)) == 62


def test_the_65th_tool_is_rejected_and_a_bad_name_keeps_its_place() -> None:
    names = [f"t{index}" for index in range(65)]
    assert admit_tools(MINE, "notes", names).rejected == [(64, "too_many")]
    names[3] = "not a name"
    admission = admit_tools(MINE, "notes", names)
    assert admission.rejected == [(3, "tool_name"), (64, "too_many")]
    assert len(admission.accepted) == 63


def test_collisions_and_ownership() -> None:
    assert admit_tools(MINE, "notes", ["a", "b", "a"]).rejected == [(2, "collision")]
    assert admit_tools(MINE, "notes", ["a", "b"], taken={"ext__notes__b"}).rejected == [(1, "collision")]
    assert admit_tools(MINE, "notes", ["a"], owner=MINE).rejected == []
    assert admit_tools(MINE, "notes", ["a"], owner=OTHER).rejected == [(0, "namespace_taken")]


pairs = st.tuples(
    st.from_regex(rules.NAMESPACE_PATTERN, fullmatch=True),
    st.from_regex("[a-zA-Z][a-zA-Z0-9_-]{0,9}", fullmatch=True),
)


@given(first=pairs, second=pairs)
def test_no_two_pairs_share_a_model_visible_name(first: tuple[str, str], second: tuple[str, str]) -> None:
    assert (rules.model_name(*first) == rules.model_name(*second)) == (first == second)


@given(steps=st.lists(st.integers(0, 6_000), min_size=1, max_size=150))
def test_never_more_than_thirty_in_any_sixty_seconds(steps: list[int]) -> None:
    window: list[int] = []
    passed: list[int] = []
    for now in itertools.accumulate(steps, initial=1_800_000_000_000):
        admission = audit.admit_write(window, now)
        window = admission.window
        if admission.admitted:
            passed.append(now)
        else:
            assert 1 <= (admission.wait_seconds or 0) <= 60
            assert audit.admit_write(window, now + (admission.wait_seconds or 0) * 1_000).admitted
            assert len([at for at in passed if at > now - 60_000]) == 30, "refused although there was room"
    for at in passed:
        assert len([other for other in passed if at - 60_000 < other <= at]) <= 30


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, "x"]}, '{"a":[true,null,"x"],"b":1}'),
        ({"é": 1, "z": 2}, '{"z":2,"é":1}'),
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (123456.789, "123456.789"),
        ("\u2028\n\x01\ud800", '"\u2028\\n\\u0001\\ud800"'),
    ],
)
def test_canonical_json(value: Any, text: str) -> None:
    assert audit.canonical_json(value) == text


def test_canonical_json_takes_json_only() -> None:
    with pytest.raises(TypeError, match="has no JSON"):
        audit.canonical_json({"a": {1, 2}})
