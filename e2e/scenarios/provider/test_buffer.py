"""What arrives at any provider before authorization is decided."""

from __future__ import annotations

import pytest

from webmcp_e2e.lumo.rules import LIMITS
from webmcp_e2e.lumo.scripted import ScriptedHost, initialize_params
from webmcp_e2e.provider import Provider

pytestmark = [pytest.mark.requirement("lumo.l1.buffer"), pytest.mark.webmcp_runtime("native")]

MOST = LIMITS["bufferedMessages"].value
MOST_BYTES = LIMITS["bufferedBytes"].value
Message = dict[str, object]

HOLD = """() => {
  const held = new Promise((release) => { globalThis.releaseStorage = release; });
  for (const area of [chrome.storage.local, chrome.storage.session]) {
    const get = area.get.bind(area);
    area.get = async (...keys) => { await held; return get(...keys); };
  }
}"""
"""The decision waits for what is stored: so there is time to send. Who keeps it in memory decides at once."""
RELEASE = "() => releaseStorage()"


def opening(count: int) -> list[Message]:
    """``initialize`` (id 0) and as many pings as make ``count`` messages."""
    first: Message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize_params()}
    return [first, *({"jsonrpc": "2.0", "id": at, "method": "ping"} for at in range(1, count))]


def large(size: int) -> Message:
    """An ``initialize`` with so many characters in it."""
    params = initialize_params() | {"_meta": {"filler": "x" * size}}
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}


TOO_MUCH = {"messages": opening(MOST + 1), "bytes": [large(MOST_BYTES)]}


@pytest.mark.conformance("provider")
def test_it_is_delivered_in_order_up_to_the_bounds(any_provider: Provider, peer: ScriptedHost) -> None:
    any_provider.worker.evaluate(HOLD)
    many, much = peer.connect(*opening(MOST)), peer.connect(large(MOST_BYTES - 1_000))
    any_provider.worker.evaluate(RELEASE)

    many.answers(*range(MOST))
    assert [message["id"] for message in many.inbox] == list(range(MOST))
    [answer] = much.answers(0)
    assert answer
    assert "result" in answer


@pytest.mark.conformance("provider")
def test_over_the_bound_the_port_is_closed(any_provider: Provider, peer: ScriptedHost) -> None:
    any_provider.worker.evaluate(HOLD)

    for messages in TOO_MUCH.values():
        # neither answered nor closed, it would be kept for ever: the wait is bounded
        peer.connect(*messages).answers(0)


@pytest.mark.conformance("provider")
def test_nothing_of_an_unknown_sender_is_answered(any_provider: Provider, peer: ScriptedHost) -> None:
    any_provider.enter("unlisted", peer.id)

    session = peer.connect(*opening(10))

    session.wait_closed()
    assert session.inbox == []


def test_ours_delivers_what_a_cold_worker_finds(provider: Provider, peer: ScriptedHost) -> None:
    provider.worker.stop()

    session = peer.connect(*opening(MOST))

    session.answers(*range(MOST))
    assert [message["id"] for message in session.inbox] == list(range(MOST))


def test_ours_closes_over_the_bound_and_answers_nothing(provider: Provider, peer: ScriptedHost) -> None:
    provider.worker.evaluate(HOLD)

    for what, messages in TOO_MUCH.items():
        session = peer.connect(*messages)

        session.wait_closed()
        assert session.inbox == [], what
