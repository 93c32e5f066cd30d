"""What is read of a message without parsing it."""

from __future__ import annotations

import pytest

from webmcp_e2e.browser import cdp

SESSION = "0123456789ABCDEF0123456789ABCDEF"


@pytest.mark.parametrize(
    ("message", "number"),
    [
        (b'{"id":12,"result":{}}', 12),
        (b'{"id":1000000003,"error":{"message":"x"}}', 1_000_000_003),
        (b'{"method":"Page.loadEventFired","params":{"id":4}}', None),
    ],
)
def test_the_id(message: bytes, number: int | None) -> None:
    assert cdp.message_id(message) == number


def test_the_method_of_an_event_and_of_a_command() -> None:
    assert cdp.event_method(b'{"method":"Target.targetCreated","params":{}}') == "Target.targetCreated"
    assert cdp.event_method(b'{"id":1,"method":"Page.enable"}') is None
    assert cdp.command_method(b'{"id":1,"method":"Page.enable","params":{}}') == "Page.enable"
    assert cdp.command_method(b'{"id":1,"result":{"method":"Page.enable"}}') == ""


def test_the_session_is_the_messages_own_not_one_that_it_speaks_of() -> None:
    own = f'{{"method":"Page.frameNavigated","params":{{}},"sessionId":"{SESSION}"}}'.encode()
    spoken_of = f'{{"method":"Target.detachedFromTarget","params":{{"sessionId":"{SESSION}"}}}}'.encode()
    in_a_string = f'{{"id":1,"result":{{"value":"\\"sessionId\\":\\"{SESSION}\\"}}"}}}}'.encode()

    assert cdp.session_of(own) == SESSION
    assert cdp.session_of(spoken_of) == ""
    assert cdp.session_of(in_a_string) == ""


def test_an_event_survives_the_way_there_and_back() -> None:
    event = cdp.CdpEvent("Target.attachedToTarget", {"a": [1, "ü"]}, SESSION)

    assert cdp.parse_event(cdp.encode_event(event)) == event
    assert cdp.session_of(cdp.encode_event(event)) == SESSION


def test_answers_are_shaped_as_chromiums() -> None:
    assert cdp.encode_answer(3, "", {"result": {}}) == b'{"id":3,"result":{}}'
    assert cdp.session_of(cdp.encode_answer(3, SESSION, {"result": {}})) == SESSION
