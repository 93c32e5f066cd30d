"""The model of the host's state machine, sampled against the real host."""

from __future__ import annotations

from typing import Any

import pytest
from providers_panel import ProvidersPanel, retried

from webmcp_e2e.lumo.rules import Answered, classify
from webmcp_e2e.lumo.scripted import ScriptedProvider
from webmcp_e2e.lumo_fixtures import MakeProvider

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings, strategies

pytestmark = [
    pytest.mark.webmcp_runtime("native"),
    pytest.mark.conformance("host"),
    pytest.mark.requirement("lumo.state.order", "lumo.state.incomplete"),
]

ODD: strategies.SearchStrategy[Any] = strategies.sampled_from([None, 0, 1, "", "true", [], {}])
TEXT = strategies.text(strategies.characters(min_codepoint=32, max_codepoint=0x2FFF), max_size=220)


def mostly(good: strategies.SearchStrategy[Any]) -> strategies.SearchStrategy[Any]:
    """Seldom something of the wrong type."""
    return strategies.one_of(*[good] * 9, ODD)


FLAG = mostly(strategies.booleans())
SERVICE = strategies.fixed_dictionaries(
    {"namespace": mostly(strategies.just("scripted")), "version": mostly(strategies.just("1.0"))},
    optional={"name": mostly(strategies.just("Scripted"))},
)
STATUS = strategies.fixed_dictionaries(
    {"enabled": FLAG, "authorized": FLAG, "ready": FLAG},
    optional={"pendingApproval": FLAG, "reason": mostly(TEXT)},
)
ERROR = strategies.fixed_dictionaries({}, optional={"code": mostly(TEXT), "message": mostly(TEXT)})
ANSWERS = strategies.fixed_dictionaries(
    {"ok": mostly(strategies.sampled_from([True, True, True, False]))},
    optional={"service": mostly(SERVICE), "status": mostly(STATUS), "error": mostly(ERROR)},
)


@pytest.fixture
def modelled(providers_panel: ProvidersPanel, scripted_provider: MakeProvider) -> ScriptedProvider:
    """A provider in the host's list."""
    peer = scripted_provider()
    providers_panel.add(peer.id)
    providers_panel.expect_connected(peer.id, tools=2)
    return peer


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(answer=ANSWERS)
def test_the_host_reads_an_answer_as_the_model_does(
    providers_panel: ProvidersPanel, modelled: ScriptedProvider, answer: Any
) -> None:
    modelled.behave(answer=answer)

    retried(providers_panel, modelled)

    expected = classify(Answered(answer))
    card = providers_panel.card(modelled.id)
    assert card.get_attribute("data-state") == expected.state
    assert card.get_attribute("data-code") == expected.code
    if expected.state == "error":
        assert providers_panel.part(modelled.id, "provider-text").text_content() == expected.text
