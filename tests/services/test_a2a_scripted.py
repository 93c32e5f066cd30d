"""The scripted agent, asked by the official client where that can ask, and by hand where it lies."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.helpers import get_artifact_text, get_message_text, new_text_part
from a2a.types import GetTaskRequest, Message, Role, SendMessageRequest, Task, TaskState
from run_async import run_async

from webmcp_e2e.services.a2a_scripted import (
    Hold,
    MalformedA2aRequest,
    Raw,
    Refuses,
    Says,
    ScriptedA2aAgent,
    Step,
)
from webmcp_e2e.waiting import wait_until


@pytest.fixture
def agent() -> Iterator[ScriptedA2aAgent]:
    with ScriptedA2aAgent() as running:
        yield running


def with_client(agent: ScriptedA2aAgent, talk) -> Any:
    async def run() -> Any:
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {agent.token}"}, timeout=10) as http:
            card = await A2ACardResolver(http, agent.origin).get_agent_card()
            return await talk(ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card))

    return run_async(run())


async def send(client: Client, text: str = "Hello") -> Any:
    message = Message(message_id=uuid.uuid4().hex, role=Role.ROLE_USER, parts=[new_text_part(text)])
    return [event async for event in client.send_message(SendMessageRequest(message=message))][-1]


def test_a_message(agent: ScriptedA2aAgent) -> None:
    agent.answer(Says("done"))
    assert get_message_text(with_client(agent, send).message) == "done"
    (request,) = agent.requests
    assert (request.method, request.text) == ("message/send", "Hello")


def test_a_task_is_polled_to_its_end(agent: ScriptedA2aAgent) -> None:
    agent.answer(Step("submitted"), Step("working", "on it"), Step("completed", artifacts=("one", "two")))

    async def talk(client: Client) -> list[Task]:
        task = (await send(client)).task
        return [await client.get_task(GetTaskRequest(id=task.id)) for _ in range(2)]

    working, done = with_client(agent, talk)
    assert working.status.state == TaskState.TASK_STATE_WORKING
    assert [get_artifact_text(one) for one in done.artifacts] == ["one", "two"]
    assert [one.method for one in agent.requests] == ["message/send", "tasks/get", "tasks/get"]
    assert agent.unanswered == 0


def test_an_error(agent: ScriptedA2aAgent) -> None:
    agent.answer(Refuses(-32603, "broken"))
    with pytest.raises(Exception, match="broken"):
        with_client(agent, send)


def test_garbage_goes_out_as_it_is(agent: ScriptedA2aAgent) -> None:
    agent.answer(Raw("<html>", 502, "text/html"))
    answer = httpx.post(agent.endpoint, json=rpc(), headers=bearer(agent))
    assert (answer.status_code, answer.text) == (502, "<html>")


def test_it_stalls_until_it_is_released(agent: ScriptedA2aAgent) -> None:
    hold = Hold()
    agent.answer(hold, Says("late"))
    answers: list[httpx.Response] = []
    asking = threading.Thread(
        target=lambda: answers.append(httpx.post(agent.endpoint, json=rpc(), headers=bearer(agent)))
    )
    asking.start()
    wait_until(lambda: hold.reached, "the request is held")
    assert answers == []
    hold.release()
    asking.join(10)
    assert answers[0].json()["result"]["parts"][0]["text"] == "late"


@pytest.mark.parametrize(
    ("change", "value"), [("name", "<b>other</b>"), ("url", None), ("protocolVersion", "1.0")]
)
def test_the_card_can_lie(change: str, value: str | None) -> None:
    with ScriptedA2aAgent(card={change: value}) as agent:
        assert httpx.get(agent.card_url).json().get(change) == value
        assert agent.card_requests == 1


def test_the_card_can_be_anything() -> None:
    with ScriptedA2aAgent(card=Raw(b"\xff\xfe", 500)) as agent:
        assert httpx.get(agent.card_url).content == b"\xff\xfe"


def test_without_the_token_nobody_gets_in(agent: ScriptedA2aAgent) -> None:
    assert httpx.post(agent.endpoint, json=rpc()).status_code == 401
    assert agent.requests == []
    with ScriptedA2aAgent(token="") as open_agent:
        open_agent.answer(Says("welcome"))
        assert httpx.post(open_agent.endpoint, json=rpc()).status_code == 200


MALFORMED = {
    "no method": {"method": None},
    "a method of 1.0": {"method": "SendMessage"},
    "no message": {"params": {}},
    "an unknown member": {"extra": 1},
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_malformed_requests_are_blamed(agent: ScriptedA2aAgent, fault: str) -> None:
    agent.answer(Says("never said"))
    assert httpx.post(agent.endpoint, json=rpc(**MALFORMED[fault]), headers=bearer(agent)).status_code == 400
    assert_blamed(agent)


def test_a_request_without_an_answer_is_blamed(agent: ScriptedA2aAgent) -> None:
    assert httpx.post(agent.endpoint, json=rpc(), headers=bearer(agent)).status_code == 400
    assert_blamed(agent)


def assert_blamed(agent: ScriptedA2aAgent) -> None:
    with pytest.raises(MalformedA2aRequest):
        _ = agent.requests
    assert len(agent.take_violations()) == 1
    agent.check()


def bearer(agent: ScriptedA2aAgent) -> dict[str, str]:
    return {"Authorization": f"Bearer {agent.token}"}


def rpc(**changes: Any) -> dict[str, Any]:
    part = {"kind": "text", "text": "Hello"}
    message = {"kind": "message", "messageId": "m1", "role": "user", "parts": [part]}
    return {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}, **changes}
