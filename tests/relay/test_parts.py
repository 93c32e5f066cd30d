"""Small parts: JSON, strikes, tool definitions, the command line."""

from __future__ import annotations

from typing import Any

import pytest

from webmcp_e2e.relay.flags import parser, relay_options
from webmcp_e2e.relay.jsonio import BadJson, decode_object, encode
from webmcp_e2e.relay.relay import DEFAULT_PORTS
from webmcp_e2e.relay.strikes import STRIKE_LIMIT, STRIKE_WINDOW_S, Strikes
from webmcp_e2e.relay.tools import normalized
from webmcp_e2e.relay.wire import Hello, ServerHello


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"a":NaN}', '{"a":Infinity}', "[" * 100_000, '{"a":1}x']
)
def test_what_is_no_json_object_is_bad_json(text: str) -> None:
    with pytest.raises(BadJson):
        decode_object(text)


def test_json_goes_out_compact_and_in_utf8() -> None:
    assert encode({"a": ["ß", None]}) == '{"a":["ß",null]}'.encode()
    assert decode_object(encode({"a": "\ud800"}).decode()) == {"a": "�"}


def test_a_hundred_strikes_in_a_minute_are_one_too_many() -> None:
    now = 0.0
    strikes = Strikes(lambda: now)
    assert [strikes.strike() for _ in range(STRIKE_LIMIT)] == [False] * (STRIKE_LIMIT - 1) + [True]


def test_strikes_are_forgotten_after_a_minute() -> None:
    times = iter([0.0] * (STRIKE_LIMIT - 1) + [STRIKE_WINDOW_S + 0.1])
    strikes = Strikes(lambda: next(times))
    assert not any(strikes.strike() for _ in range(STRIKE_LIMIT))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, {"type": "object", "properties": {}}),
        ({}, {"type": "object"}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        ({"type": "string"}, {"type": "object", "properties": {}}),
    ],
)
def test_an_input_schema_is_always_an_object_schema(given: Any, expected: dict[str, Any]) -> None:
    clean = normalized({"name": "t", "inputSchema": given})
    assert clean is not None
    assert clean["inputSchema"] == expected


@pytest.mark.parametrize("nameless", [{}, {"name": ""}, {"name": 7}])
def test_a_tool_without_a_name_is_none(nameless: dict[str, Any]) -> None:
    assert normalized(nameless) is None


def test_unknown_members_of_a_frame_are_ignored_and_null_is_missing() -> None:
    hello = Hello.model_validate({"type": "hello", "tabId": "7", "origin": None, "new": 1})
    assert hello.encoded() == b'{"type":"hello","tabId":"7"}'
    assert ServerHello.model_validate({"host": "h", "instanceId": "i", "port": 1}).maxPayload is None


def options(*argv: str) -> Any:
    return relay_options(parser().parse_args(argv))


def test_the_peers_flags_are_known() -> None:
    given = options(
        "--widget-origin", "https://a.test,https://b.test", "--label", "L", "--workspace", "W", "-p", "9400"
    )
    assert given.allow_origins == ["https://a.test", "https://b.test"]
    assert (given.label, given.workspace, list(given.ports)) == ("L", "W", [9400])
    assert options("--relay-id", "R", "-H", "127.0.0.1").relay_id == "R"


def test_the_range_and_the_deadlines_have_defaults() -> None:
    given = options()
    assert given.ports == DEFAULT_PORTS
    assert (given.timings.seconds("relayDeadline"), given.timings.seconds("joinedRelayDeadline")) == (55, 57)


def test_an_invoke_timeout_moves_both_deadlines() -> None:
    timings = options("--invoke-timeout", "10", "--timing", "probe=50").timings
    assert (timings.seconds("relayDeadline"), timings.seconds("joinedRelayDeadline")) == (10, 12)
    assert timings.seconds("probe") == 0.05


def test_a_port_and_a_range_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        options("--port", "9400", "--ports", "9400-9401")
    assert "not allowed with" in capsys.readouterr().err
