"""The model of the sliding window, sampled against the real provider."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from userscript_calls import creates, error_code

from webmcp_e2e.lumo.audit import admit_write
from webmcp_e2e.lumo.rules import LIMITS
from webmcp_e2e.lumo.scripted import ScriptedHost
from webmcp_e2e.provider import Provider

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings, strategies

pytestmark = [pytest.mark.requirement("lumo.rate.window"), pytest.mark.webmcp_runtime("native")]

SPAN = LIMITS["writeWindowMs"].value
MARGIN_MS = 20_000
"""An age so near to the window's edge might cross it while the sample runs."""

AGES = strategies.lists(
    strategies.one_of(strategies.integers(0, SPAN - MARGIN_MS), strategies.integers(SPAN, SPAN + MARGIN_MS)),
    max_size=35,
)


def passing(window: list[int], now: int, burst: int) -> int:
    """How many of a burst the model lets pass."""
    count = 0
    for _ in range(burst):
        admission = admit_write(window, now)
        window, count = admission.window, count + admission.admitted
    return count


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(ages=AGES, burst=strategies.integers(1, 35))
def test_the_provider_admits_what_the_model_admits(
    provider: Provider, peer: ScriptedHost, ages: list[int], burst: int
) -> None:
    """Stored times moved into the past stand for the wait. ``ages``: milliseconds of earlier writes."""
    now = int(time.time() * 1_000)
    window = [now - age for age in sorted(ages, reverse=True)]
    provider.storage.set({f"writeWindow:{peer.id}": window}, area="session")
    provider.storage.set({"scripts": []})

    outcomes = Counter(map(error_code, peer.session().call_all(creates(burst))))

    expected = passing(window, now, burst)
    assert outcomes == Counter({None: expected, "rate_limited": burst - expected})
