"""Sizes: what fits passes, what does not is ``too_large``, and everything else goes on."""

from __future__ import annotations

import pytest
from relay_kit import ErrorOf

from webmcp_e2e.chain import Chain

pytestmark = [
    pytest.mark.requirement("chain.relay.payload"),
    pytest.mark.webmcp_runtime("native"),
]


def test_a_result_close_to_the_limit_arrives_whole(chain: Chain) -> None:
    result = chain.call("big", {"bytes": 7_900_000})
    assert len(result["content"][0]["text"]) >= 7_900_000


def test_a_result_over_the_limit_is_too_large_and_other_calls_are_unharmed(
    chain: Chain, error_of: ErrorOf
) -> None:
    sources = {source["sourceId"]: source["connectedAt"] for source in chain.relay.sources()}
    slow = chain.relay.call_soon("slow", {"ms": 1_500})
    chain.html_app.wait_for_invocations(1)

    assert error_of(chain.call("big", {"bytes": 8_100_000})) == ("too_large", "yes")

    assert not slow.result(timeout=30).is_error
    assert chain.call("echo", {"text": "still here"})["content"][0]["text"] == "still here"
    assert {source["sourceId"]: source["connectedAt"] for source in chain.relay.sources()} == sources


def test_arguments_up_to_the_limit_arrive_and_over_it_never_leave(chain: Chain, error_of: ErrorOf) -> None:
    around = len('{"text":""}')
    fits = "x" * (1_000_000 - around)
    assert chain.call("echo", {"text": fits})["content"][0]["text"] == fits
    assert error_of(chain.call("echo", {"text": fits + "x"})) == ("too_large", "no")
    assert error_of(chain.call("echo", {"text": "ß" * 600_000})) == ("too_large", "no")
    assert len(chain.html_app.invocations) == 1
    assert chain.call("echo", {"text": "still here"})["content"][0]["text"] == "still here"
