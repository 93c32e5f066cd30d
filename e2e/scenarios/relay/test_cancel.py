"""Cancellation and deadlines reach the page's own AbortSignal, in both runtimes."""

from __future__ import annotations

import pytest
from relay_kit import ErrorOf

from webmcp_e2e.chain import Chain

pytestmark = pytest.mark.requirement("chain.relay.cancel")


@pytest.mark.conformance("relay")
def test_a_cancelled_request_aborts_the_pages_tool_and_no_other(chain: Chain) -> None:
    cancelled = chain.relay.call_soon("slow", {"ms": 30_000})
    chain.html_app.wait_for_invocations(1)
    other = chain.relay.call_soon("slow", {"ms": 1_000})
    chain.html_app.wait_for_invocations(2)

    cancelled.cancel()

    chain.html_app.wait_for_outcome(1, "aborted", timeout=10)
    assert not other.result(timeout=30).is_error
    assert [one.outcome for one in chain.html_app.invocations] == ["aborted", "finished"]
    assert chain.call("echo", {"text": "next"})["content"][0]["text"] == "next"

    a_client_that_goes_cancels_what_it_asked(chain)


def a_client_that_goes_cancels_what_it_asked(chain: Chain) -> None:
    before = len(chain.html_app.invocations)
    chain.relay.call_soon("slow", {"ms": 30_000})
    chain.html_app.wait_for_invocations(before + 1)
    chain.relay.close()
    chain.html_app.wait_for_outcome(before + 1, "aborted", timeout=15)


class TestDeadline:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"relayDeadline": 1_500}

    def test_a_deadline_of_the_relay_aborts_the_pages_tool(self, chain: Chain, error_of: ErrorOf) -> None:
        assert error_of(chain.relay.call("slow", {"ms": 30_000})) == ("timeout", "unknown")
        chain.html_app.wait_for_outcome(1, "aborted", timeout=10)


class TestBrowsersDeadline:
    @pytest.fixture
    def webmcp_timings(self) -> dict[str, int]:
        return {"browserDeadline": 1_500}

    def test_a_deadline_of_the_browser_aborts_it_too(self, chain: Chain, error_of: ErrorOf) -> None:
        assert error_of(chain.relay.call("slow", {"ms": 30_000}))[0] == "timeout"
        chain.html_app.wait_for_outcome(1, "aborted", timeout=10)
