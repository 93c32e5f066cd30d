"""The real agent, asked by the official client in both protocol versions."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from decimal import Decimal

import httpx
import pytest
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.helpers import get_artifact_text, get_message_text, new_text_part
from a2a.types import Message, Role, SendMessageRequest, StreamResponse, Task, TaskState
from run_async import run_async

from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.a2a_analyst import analyse

ROWS = (
    'Analyse these: {"rows": [{"id": "SO-1", "warehouse": "Lyon", "amount": 10.5},'
    ' {"id": "SO-2", "warehouse": "Porto", "amount": 99.99}, {"id": "SO-3", "warehouse": "Lyon", "amount": 1}]}'
)
ANSWER = "3 orders, 111.49 in total (Lyon 11.50, Porto 99.99). The largest is SO-2."


@pytest.fixture(params=["1.0", "0.3"])
def agent(request: pytest.FixtureRequest) -> Iterator[A2aAgent]:
    with A2aAgent((request.param,)) as running:
        yield running


def send(agent: A2aAgent, text: str, task: Task | None = None) -> StreamResponse:
    """The last event of the official client's answer."""

    async def talk() -> StreamResponse:
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {agent.token}"}, timeout=10) as http:
            card = await A2ACardResolver(http, agent.origin).get_agent_card()
            client = ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card)
            message = Message(message_id=uuid.uuid4().hex, role=Role.ROLE_USER, parts=[new_text_part(text)])
            if task is not None:
                message.task_id, message.context_id = task.id, task.context_id
            events = [event async for event in client.send_message(SendMessageRequest(message=message))]
            return events[-1]

    return run_async(talk())


def test_rows_become_an_artifact(agent: A2aAgent) -> None:
    task = send(agent, ROWS).task
    assert task.status.state == TaskState.TASK_STATE_COMPLETED
    assert get_artifact_text(task.artifacts[0]) == ANSWER
    assert agent.texts == [ROWS]


def test_a_question_becomes_a_message(agent: A2aAgent) -> None:
    assert "Give me their rows" in get_message_text(send(agent, "Who are you?").message)


def test_without_rows_it_asks_and_goes_on_in_the_same_task(agent: A2aAgent) -> None:
    asked = send(agent, "Analyse the orders.").task
    assert asked.status.state == TaskState.TASK_STATE_INPUT_REQUIRED
    done = send(agent, ROWS, asked).task
    assert (done.id, done.status.state) == (asked.id, TaskState.TASK_STATE_COMPLETED)
    assert agent.most_at_once == 1


def test_the_methods_are_those_of_the_version(agent: A2aAgent) -> None:
    send(agent, "Who are you?")
    (request,) = agent.requests
    legacy = request.method == "message/send"
    assert request.method == ("message/send" if legacy else "SendMessage")
    assert legacy == ("1.0" not in request.version)
    assert agent.token not in repr(agent.requests)


def test_without_the_token_nobody_gets_in(agent: A2aAgent) -> None:
    assert httpx.get(agent.card_url).json()["name"] == "Order analyst"
    assert httpx.post(agent.endpoint, json={}).status_code == 401
    assert httpx.post(agent.endpoint, json={}, headers={"Authorization": "Bearer x"}).status_code == 401
    assert agent.requests == []


def test_it_offers_both_versions_by_default() -> None:
    with A2aAgent() as agent:
        card = httpx.get(agent.card_url).json()
    assert [one["protocolVersion"] for one in card["supportedInterfaces"]] == ["1.0", "0.3"]
    assert card["url"] == agent_url(card)


def agent_url(card: dict) -> str:
    return card["supportedInterfaces"][0]["url"]


class TestAnalysis:
    def test_rows_are_found_wherever_they_stand(self) -> None:
        text = 'text [1, {"a": {"id": 1, "warehouse": "A", "amount": 1.005}}] { broken ' + ROWS
        found = analyse(text)
        assert found is not None
        assert found.orders == 4
        assert found.by_warehouse["Lyon"] == Decimal("11.50")

    def test_the_same_order_counts_once(self) -> None:
        found = analyse(ROWS + ROWS)
        assert found is not None
        assert found.text == ANSWER

    def test_no_rows(self) -> None:
        assert analyse("{} [] nothing [{]") is None
