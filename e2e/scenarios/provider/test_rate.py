"""The write limit of any provider that writes: 30 in sliding 60 s, for each caller."""

from __future__ import annotations

from typing import Any, Protocol

import pytest
from fixture_types import CallOf, Enter

from webmcp_e2e.lumo.rules import LIMITS
from webmcp_e2e.lumo.scripted import HostSession, ScriptedHost
from webmcp_e2e.lumo_fixtures import MakeHost
from webmcp_e2e.provider import Provider

pytestmark = [pytest.mark.conformance("provider"), pytest.mark.webmcp_runtime("native")]

MOST = LIMITS["writesPerWindow"].value


class WriteMany(Protocol):
    """Posts writes that all differ in one task."""

    def __call__(self, session: HostSession, count: int) -> list[dict[str, Any]]:
        """Results of so many writes."""


@pytest.fixture
def write(call_of: CallOf) -> WriteMany:
    written = iter(range(1, 1_000))

    def many(session: HostSession, count: int) -> list[dict[str, Any]]:
        return session.call_all([call_of("write", next(written)) for _ in range(count)])

    return many


def passed(results: list[dict[str, Any]]) -> int:
    return sum(not result.get("isError") for result in results)


@pytest.mark.requirement("lumo.rate.window")
def test_of_forty_parallel_writes_thirty_pass(
    any_provider: Provider, peer: ScriptedHost, call_of: CallOf
) -> None:
    """On two ports: the caller counts, not the port."""
    sessions = [peer.session(), peer.session()]
    begun = [
        session.begin([call_of("write", 100 * at + n) for n in range(20)])
        for at, session in enumerate(sessions)
    ]

    answers = [
        answer
        for session, ids in zip(sessions, begun, strict=True)
        for answer in session.answers(*ids)
        if answer
    ]

    results = [answer["result"] for answer in answers]
    assert len(results) == 40
    assert passed(results) == MOST
    [wait, *_] = [result["content"][0]["text"] for result in results if result.get("isError")]
    assert any(word.isdigit() for word in wait.split()), f"no seconds to wait: {wait}"


@pytest.mark.requirement("lumo.rate.window")
def test_each_caller_has_its_own_window(
    any_provider: Provider, peer: ScriptedHost, scripted_host: MakeHost, enter: Enter, write: WriteMany
) -> None:
    other = scripted_host(any_provider.id)
    enter("open", other.id)

    assert passed(write(peer.session(), MOST + 1)) == MOST
    assert passed(write(other.session(), MOST + 1)) == MOST


@pytest.mark.requirement("lumo.rate.recycle")
def test_killing_the_worker_does_not_reset_the_window(
    any_provider: Provider, peer: ScriptedHost, write: WriteMany
) -> None:
    so_far = 0
    for round_ in range(1, 5):
        session = peer.session()
        so_far += passed(write(session, 10))
        assert so_far == min(MOST, round_ * 10)
        any_provider.worker.stop()
        session.wait_closed()


@pytest.mark.requirement("lumo.rate.reads")
def test_reads_are_free(
    any_provider: Provider, peer: ScriptedHost, write: WriteMany, call_of: CallOf
) -> None:
    session = peer.session()
    assert passed(write(session, MOST + 1)) == MOST

    reads = session.call_all([call_of("read")] * 100)

    assert passed(reads) == 100
