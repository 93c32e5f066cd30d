"""Every error code reaches the MCP client in its one shape: isError, ``<code>: <text>``, and ``_meta``."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from mcp_types import CallToolResult, TextContent
from playwright.sync_api import BrowserContext
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from webmcp_e2e.chain import Chain
from webmcp_e2e.contract import ERROR_CODES, ERROR_META, Executed
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.requirement("chain.errors")

ORIGIN = "https://scripted.example"


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    return {"browserDeadline": 3_000, "formWait": 1_000}


def assert_error(result: CallToolResult, code: str, executed: str) -> None:
    assert result.is_error is True
    assert result.meta is not None
    assert result.meta[ERROR_META] == {"code": code, "executed": executed}
    first = result.content[0]
    assert isinstance(first, TextContent)
    said, _, text = first.text.partition(": ")
    assert said == code
    assert len([sentence for sentence in text.split(". ") if sentence.strip()]) >= 2, (
        f"what to do is missing: {text}"
    )


Provoke = Callable[[Chain], CallToolResult]


def in_flight(chain: Chain, cause: Callable[[], object]) -> CallToolResult:
    """The result of a call during which ``cause`` happens."""
    before = len(chain.html_app.invocations)
    call = chain.relay.call_soon("slow", {"ms": 60_000})
    chain.html_app.wait_for_invocations(before + 1)
    cause()
    return call.result(20)


def form_left_open(chain: Chain) -> CallToolResult:
    chain.page.goto(chain.html_app.page("declarative.html"))
    chain.wait_ready("note_order")
    return chain.relay.call("note_order", {"order": "1", "note": "nobody submits"})


def tab_without_document(chain: Chain) -> CallToolResult:
    chain.page.goto("chrome://version")
    return chain.relay.call("chrome_extension_get_document_info")


HARMLESS: dict[str, tuple[str, Provoke]] = {
    "unknown_tool": (
        "no",
        lambda chain: chain.relay.call("webmcp_call_tool", {"name": "nobody_has_it", "arguments": {}}),
    ),
    "invalid_args": ("no", lambda chain: chain.relay.call("sum", {"a": "one", "b": 2})),
    "page_error": ("yes", lambda chain: chain.relay.call("always_fail")),
    "too_large": ("yes", lambda chain: chain.relay.call("big", {"bytes": 9_000_000})),
    "timeout": ("unknown", lambda chain: chain.relay.call("slow", {"ms": 60_000})),
}
"""Calls that fail and leave the chain as it was."""

UPSETTING: dict[str, tuple[str, Provoke]] = {
    "not_ready": ("no", tab_without_document),
    "navigated": ("unknown", lambda chain: in_flight(chain, lambda: chain.page.goto("about:blank"))),
    "waiting_for_user": ("no", form_left_open),
    "source_disconnected": ("unknown", lambda chain: in_flight(chain, chain.host.worker.stop)),
}
"""Calls in whose course the page or the worker changes."""


def test_calls_that_fail_by_themselves(chain: Chain) -> None:
    for code, (executed, provoke) in HARMLESS.items():
        assert_error(provoke(chain), code, executed)
        assert not chain.relay.call("echo", {"text": "still there"}).is_error


def test_calls_that_the_browser_ends(chain: Chain) -> None:
    for code, (executed, provoke) in UPSETTING.items():
        chain.page.goto(chain.html_app.page(lab=""))
        chain.wait_ready("slow")
        assert_error(provoke(chain), code, executed)


@pytest.mark.webmcp_runtime("native")
def test_denied(chain: Chain, context: BrowserContext, tab_id) -> None:
    other = context.new_page()
    other.goto(chain.html_app.page("plain.html"))
    result = chain.relay.call("chrome_extension_get_document_info", {"tabId": tab_id(other)})
    assert_error(result, "denied", "no")


@pytest.mark.webmcp_runtime("native")
def test_relay_gone(chain: Chain, tmp_path: Path) -> None:
    """A second relay joins the first, which is killed in the middle of a call."""
    second = Relay(chain.relay.ports, tmp_path, name="second")
    second.start()
    try:
        wait_until(lambda: "slow" in second.page_tools(), "the joined relay lists the page's tools")
        call = second.call_soon("slow", {"ms": 60_000})
        chain.html_app.wait_for_invocations(1)
        chain.relay.kill()
        assert_error(call.result(20), "relay_gone", "unknown")
    finally:
        second.close()


class TestPassage:
    """Codes whose cause is elsewhere (the caller's own cancellation, providers): the relay changes none of them."""

    @pytest.fixture
    def relay_flags(self) -> list[str]:
        return ["--allow-origin", ORIGIN]

    def test_every_code_passes_the_relay_as_it_is(self, relay: Relay) -> None:
        url = f"ws://127.0.0.1:{relay.port}/"
        with connect(url, origin=Origin(ORIGIN), subprotocols=[Subprotocol("webmcp.v1")]) as source:
            send(source, {"type": "hello", "tabId": "7", "origin": ORIGIN})
            tool = {"name": "failing", "inputSchema": {"type": "object"}}
            send(source, {"type": "tools/list", "tools": [tool]})
            wait_until(lambda: "failing" in relay.tools(), "the tool is listed")
            for code, executed in product(ERROR_CODES, get_args(Executed)):
                call = relay.call_soon("failing")
                invoke = next(frame for frame in map(json.loads, source) if frame["type"] == "invoke")
                send(
                    source, {"type": "result", "callId": invoke["callId"], "result": error_of(code, executed)}
                )
                assert_error(call.result(10), code, executed)


def error_of(code: str, executed: str) -> dict[str, Any]:
    return {
        "isError": True,
        "content": [{"type": "text", "text": f"{code}: It happened. Do this."}],
        "_meta": {ERROR_META: {"code": code, "executed": executed}},
    }


def send(source: ClientConnection, frame: dict[str, Any]) -> None:
    source.send(json.dumps(frame))
