"""What is served ahead of the SDK, and what is left to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY, SERVER_INFO_META_KEY
from relay_support import text

from webmcp_e2e.relay.fast_path import Era, FastPath
from webmcp_e2e.relay.registry import PublicTool
from webmcp_e2e.relay.wire import SourceInfo

ENVELOPE = {PROTOCOL_VERSION_META_KEY: "2026-07-28", CLIENT_CAPABILITIES_META_KEY: {}}


class FakeBackend:
    """Keeps calls until the test answers them."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.answers: list[Callable[[dict[str, Any]], None]] = []
        self.cancelled: list[int] = []

    def tools(self) -> list[PublicTool]:
        return []

    def sources(self) -> list[SourceInfo]:
        return []

    def invoke(self, name: str, args: dict[str, Any], done: Callable[[dict[str, Any]], None]) -> Any:
        number = len(self.asked)
        self.asked.append((name, args))
        self.answers.append(done)
        return lambda: self.cancelled.append(number)

    def refresh(self, url: str, done: Callable[[dict[str, Any]], None]) -> None:
        return None


class Served:
    """A fast path with what it wrote."""

    def __init__(self, era: Era | None) -> None:
        self.backend = FakeBackend()
        self.lines: list[dict[str, Any]] = []
        write = lambda line: self.lines.append(json.loads(line))  # noqa: E731
        self.path = FastPath(self.backend, {"name": "relay", "version": "1"}, write)
        self.path.era = era

    def take(self, params: Any, request_id: Any = 1, method: str = "tools/call") -> bool:
        return self.path.take({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})


def test_a_pages_tool_is_served_and_its_result_is_the_pages() -> None:
    served = Served("handshake")
    assert served.take({"name": "echo", "arguments": {"a": 1}}, request_id="x")
    served.backend.answers[0](text("hi"))
    assert served.backend.asked == [("echo", {"a": 1})]
    assert served.lines == [{"jsonrpc": "2.0", "id": "x", "result": text("hi")}]


def test_in_the_envelope_era_a_result_says_that_it_is_complete_and_who_speaks() -> None:
    served = Served("envelope")
    assert served.take({"name": "echo", "_meta": ENVELOPE})
    served.backend.answers[0]({**text("hi"), "_meta": {"shop.test/trace": "t1"}})
    result = served.lines[0]["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"] == {
        "shop.test/trace": "t1",
        SERVER_INFO_META_KEY: {"name": "relay", "version": "1"},
    }


def test_call_tool_is_the_same_as_the_tools_own_name() -> None:
    served = Served("handshake")
    assert served.take({"name": "webmcp_call_tool", "arguments": {"name": "echo", "arguments": {"a": 1}}})
    assert served.backend.asked == [("echo", {"a": 1})]


@pytest.mark.parametrize(
    ("era", "params", "request_id"),
    [
        (None, {"name": "echo"}, 1),
        ("handshake", {"name": "echo", "_meta": ENVELOPE}, 1),
        ("envelope", {"name": "echo"}, 1),
        ("envelope", {"name": "echo", "_meta": {PROTOCOL_VERSION_META_KEY: "2099-01-01"}}, 1),
        ("envelope", {"name": "echo", "_meta": {PROTOCOL_VERSION_META_KEY: "2026-07-28"}}, 1),
        ("handshake", {"name": "webmcp_list_tools"}, 1),
        ("handshake", {"name": "webmcp_call_tool", "arguments": {"name": "webmcp_open_page"}}, 1),
        ("handshake", {"name": "webmcp_call_tool"}, 1),
        ("handshake", {"name": "echo", "arguments": []}, 1),
        ("handshake", {"name": 7}, 1),
        ("handshake", {}, 1),
        ("handshake", [], 1),
        ("handshake", {"name": "echo"}, None),
        ("handshake", {"name": "echo"}, True),
        ("handshake", {"name": "echo"}, 1.5),
    ],
)
def test_everything_else_is_the_sdks(era: Era | None, params: Any, request_id: Any) -> None:
    served = Served(era)
    assert not served.take(params, request_id)
    assert not served.backend.asked
    assert not served.lines


def test_a_cancelled_call_has_no_answer() -> None:
    served = Served("handshake")
    served.take({"name": "slow"}, request_id=7)
    assert served.take({"requestId": 7}, request_id=None, method="notifications/cancelled")
    assert served.backend.cancelled == [0]
    assert not served.lines


def test_a_cancel_of_what_the_sdk_serves_is_the_sdks() -> None:
    served = Served("handshake")
    assert not served.take({"requestId": 99}, request_id=None, method="notifications/cancelled")
    assert not served.take({"requestId": []}, request_id=None, method="notifications/cancelled")


def test_the_end_of_the_client_cancels_what_it_asked() -> None:
    served = Served("handshake")
    served.take({"name": "slow"}, request_id=1)
    served.take({"name": "slow"}, request_id=2)
    served.path.close()
    assert served.backend.cancelled == [0, 1]
