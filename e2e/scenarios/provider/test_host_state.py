"""The host's state machine, row by row, in the real side panel."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from chrome_watch import WATCH_CHROME
from playwright.sync_api import expect
from providers_panel import ProvidersPanel, retried

from webmcp_e2e.browser import Extension
from webmcp_e2e.lumo.rules import HOST_ERROR_TEXTS, Answered, classify
from webmcp_e2e.lumo_fixtures import MakeHost, MakeProvider

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.conformance("host")]

GOOD_SERVICE = {"namespace": "scripted", "name": "Scripted", "version": "1.0"}
NO_MEMBER: list[Any] = [None, "text", [], 7]
"""Values that are neither a service nor a status."""
GOOD_STATUS = {"enabled": True, "authorized": True, "ready": True, "pendingApproval": False}


def answer(**members: Any) -> dict[str, Any]:
    """A right answer, with members replaced."""
    return {"ok": True, "service": GOOD_SERVICE, "status": GOOD_STATUS} | members


@pytest.mark.requirement("lumo.state.not-installed", "lumo.state.visible")
def test_row_1_not_installed(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider, scripted_host: MakeHost
) -> None:
    absent = "a" * 32
    without_listener = scripted_host()
    disabled = scripted_provider()
    disabled.extension.disable()
    not_for_us = scripted_provider(manifest={"externally_connectable": {"ids": ["b" * 32]}})
    ids = [absent, without_listener.id, disabled.id, not_for_us.id]

    providers_panel.add(*ids)

    for provider_id in ids:
        providers_panel.expect_error(provider_id, "not_installed", HOST_ERROR_TEXTS["not_installed"])
    assert providers_panel.ids == ids
    assert providers_panel.tools() == []


@pytest.mark.requirement("lumo.state.timeout")
def test_row_2_timeout_waits_1500_ms_and_a_later_answer_changes_nothing(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    never = scripted_provider(namespace="never", probe=["never", "answer"])
    late = scripted_provider(namespace="late", probe_delay_ms=2_500)
    started: float = providers_panel.panel.evaluate("performance.now()")

    providers_panel.add(never.id, late.id)
    for peer in (never, late):
        providers_panel.expect_error(peer.id, "timeout", HOST_ERROR_TEXTS["timeout"])
        assert providers_panel.panel.evaluate("performance.now()") - started >= 1_500
    assert len(never.probes) == 1, "a timeout is not probed again"

    [answered] = late.wait_for("answer")
    assert providers_panel.checked_at(late.id) < answered["at"], "decided before the answer came"
    retried(providers_panel, never)
    providers_panel.expect_connected(never.id, tools=2)
    providers_panel.expect_error(late.id, "timeout", HOST_ERROR_TEXTS["timeout"])
    assert late.connects == []


@pytest.mark.requirement("lumo.state.protocol-error")
def test_row_3_protocol_error(providers_panel: ProvidersPanel, scripted_provider: MakeProvider) -> None:
    peer = scripted_provider()
    providers_panel.add(peer.id)
    own = HOST_ERROR_TEXTS["protocol_error"]

    for error, text in (
        ({"code": "internal", "message": "broken on purpose"}, "broken on purpose"),
        ({"code": "internal"}, own),
        ({"code": "internal", "message": "x" * 300}, "x" * 200),
        ({"code": "internal", "message": 7}, own),
        ({"code": "unsupported_version", "message": "Send version 2."}, "Send version 2."),
        (None, own),
    ):
        peer.behave(answer=answer(ok=False, error=error))
        retried(providers_panel, peer)
        providers_panel.expect_error(peer.id, "protocol_error", text)


def incomplete_answers() -> Iterator[tuple[str, Any]]:
    """Each missing or mistyped member, and answers that are no answer at all."""
    yield from (("null", None), ("text", "ok"), ("list", [answer()]), ("empty", {}))
    yield from ((f"ok={value!r}", answer(ok=value)) for value in (None, 1, "true"))
    for member, good in (("service", GOOD_SERVICE), ("status", GOOD_STATUS)):
        without = {key: value for key, value in answer().items() if key != member}
        yield f"no {member}", without
        yield from ((f"{member}={wrong!r}", answer(**{member: wrong})) for wrong in NO_MEMBER)
        for key, value in good.items():
            rest = {other: kept for other, kept in good.items() if other != key}
            wrong = str(value) if isinstance(value, bool) else 7
            yield f"no {member}.{key}", answer(**{member: rest})
            yield f"{member}.{key}={wrong!r}", answer(**{member: rest | {key: wrong}})
    yield "status.reason=7", answer(status=GOOD_STATUS | {"ready": False, "reason": 7})


@pytest.mark.requirement("lumo.state.incomplete")
def test_row_4_incomplete_for_each_missing_or_mistyped_member(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = scripted_provider()
    providers_panel.add(peer.id)
    providers_panel.expect_connected(peer.id, tools=2)

    wrong: dict[str, str | None] = {}
    for what, said in incomplete_answers():
        peer.behave(answer=said)
        retried(providers_panel, peer)
        code = providers_panel.card(peer.id).get_attribute("data-code")
        if code != "incomplete":
            wrong[what] = code

    assert wrong == {}
    expect(providers_panel.part(peer.id, "provider-text")).to_have_text(HOST_ERROR_TEXTS["incomplete"])
    heard = [entry["said"] for entry in peer.journal("answer")]
    assert heard[1:] == [said for _, said in incomplete_answers()], "each was asked for and answered"
    peer.behave(answer=answer())
    retried(providers_panel, peer)
    providers_panel.expect_connected(peer.id, tools=2)


@pytest.mark.requirement("lumo.state.worker-died", "lumo.state.incomplete")
def test_a_provider_that_dies_in_the_probe_is_probed_once_more(
    host: Extension, providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    host.worker.evaluate(WATCH_CHROME)
    # To the sender it looks the same: a listener that died before it returned, and one that takes no message.
    deaf = scripted_provider(namespace="deaf", probe="leave")
    deaf_once = scripted_provider(namespace="deaf_once", probe=["leave", "answer"])
    stopped = scripted_provider(namespace="stopped", probe=["never", "answer"])
    dying = scripted_provider(namespace="dying", probe="die")

    providers_panel.add(deaf.id, deaf_once.id, stopped.id, dying.id)
    stopped.wait_for("probe")
    stopped.worker.stop()

    providers_panel.expect_error(deaf.id, "incomplete", HOST_ERROR_TEXTS["incomplete"])
    providers_panel.expect_connected(deaf_once.id, tools=2)
    assert [probe["action"] for probe in deaf_once.probes] == ["leave", "answer"]
    providers_panel.expect_error(dying.id, "not_installed", HOST_ERROR_TEXTS["not_installed"])
    assert len(dying.probes) <= 2
    card = providers_panel.card(stopped.id)
    expect(card).not_to_have_attribute("data-state", "unknown", timeout=15_000)
    providers_panel.expect_settled(stopped.id)
    # The second probe may still meet the worker that is being stopped: an error then, and never pending.
    assert card.get_attribute("data-code") in ("", "not_installed")
    sent = host.worker.evaluate("globalThis.reached.sendMessage")
    assert [sent.count(peer.id) for peer in (deaf, deaf_once, stopped)] == [2, 2, 2]
    retried(providers_panel, stopped)
    providers_panel.expect_connected(stopped.id, tools=2)


@pytest.mark.requirement("lumo.state.disabled", "lumo.state.pending", "lumo.state.not-authorized")
def test_rows_5_to_7_policy(providers_panel: ProvidersPanel, scripted_provider: MakeProvider) -> None:
    peers = {
        "disabled": scripted_provider(enabled=False),
        "pending_approval": scripted_provider(authorized=False, pending_approval=True),
        "not_authorized": scripted_provider(authorized=False),
    }

    providers_panel.add(*(peer.id for peer in peers.values()))

    for code, peer in peers.items():
        providers_panel.expect_error(peer.id, code, HOST_ERROR_TEXTS[code])  # type: ignore[index]
        assert peer.connects == [], "no port is opened to a provider that does not let us in"
    assert providers_panel.tools() == []


@pytest.mark.requirement("lumo.state.not-ready")
def test_row_8_not_ready_says_the_providers_reason_keeps_the_port_and_greys_the_tools(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    never_ready = scripted_provider(namespace="never", ready=False, reason="Turn on Allow User Scripts")
    peer = scripted_provider()
    providers_panel.add(never_ready.id, peer.id)
    providers_panel.expect_error(never_ready.id, "not_ready", "Turn on Allow User Scripts")
    providers_panel.expect_connected(peer.id, tools=2)

    own = HOST_ERROR_TEXTS["not_ready"]
    texts = {"resting": "resting", None: own, "": own, "z" * 200: "z" * 200, "y" * 300: "y" * 200}
    for reason, text in texts.items():
        peer.behave(ready=False, reason=reason)
        retried(providers_panel, peer)
        providers_panel.expect_error(peer.id, "not_ready", text)

    width = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    content, view = providers_panel.panel.evaluate(width)
    assert content <= view, "a long word is broken, not cut"
    for one in (never_ready, peer):
        expect(providers_panel.part(one.id, "provider-tools")).to_have_text("Tools: 2")
        assert len(one.connects) == 1
    assert not providers_panel.call("ext__scripted__echo").get("isError"), "ready is no permission"
    assert peer.journal("closed") == []
    providers_panel.show("tools")
    sections = providers_panel.panel.get_by_test_id("source-provider")
    expect(sections).to_have_count(2)
    for section in sections.all():
        expect(section).to_have_attribute("data-greyed", "true")
        expect(section.get_by_test_id("tool")).to_have_count(2)


@pytest.mark.requirement("lumo.state.connected")
def test_row_9_connected_with_counts_and_tools(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = scripted_provider(tools=["echo", "write", "9bad"])

    providers_panel.add(peer.id)

    providers_panel.expect_connected(peer.id, tools=2, rejected=1)
    providers_panel.wait_for_tools("ext__scripted__echo", "ext__scripted__write")
    providers_panel.show("tools")
    section = providers_panel.panel.get_by_test_id("source-provider")
    expect(section).to_have_attribute("data-greyed", "false")
    expect(section.get_by_test_id("tool")).to_have_count(2)


@pytest.mark.requirement("lumo.state.order")
def test_the_first_matching_row_wins_for_every_combination(
    providers_panel: ProvidersPanel, scripted_provider: MakeProvider
) -> None:
    peer = scripted_provider()
    providers_panel.add(peer.id)
    providers_panel.expect_connected(peer.id, tools=2)

    for enabled, authorized, ready, pending in itertools.product([False, True], repeat=4):
        flags = {"enabled": enabled, "authorized": authorized, "ready": ready, "pendingApproval": pending}
        peer.behave(answer=answer(status=flags))
        retried(providers_panel, peer)
        expected = classify(Answered(answer(status=flags)))
        if expected.state == "connected":
            providers_panel.expect_connected(peer.id, tools=2)
        else:
            providers_panel.expect_error(peer.id, expected.code, expected.text)
