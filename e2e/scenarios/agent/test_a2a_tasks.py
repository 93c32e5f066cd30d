"""Tasks of remote agents from the chat: real agents in both protocol versions, and one that lies."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from a2a_panel import A2aPanel
from chat_panel import PATIENCE, ChatPanel
from playwright.sync_api import expect

from webmcp_e2e.agent_fixtures import MakeA2aAgent
from webmcp_e2e.services.a2a_agent import A2aAgent
from webmcp_e2e.services.a2a_scripted import Hold, Raw, Refuses, Says, ScriptedA2aAgent, Step
from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Llm, LlmRequest, ToolCall
from webmcp_e2e.waiting import wait_until

pytestmark = pytest.mark.webmcp_runtime("native")

MARKUP = '<img src="x" onerror="globalThis.hacked = 1"><script>globalThis.hacked = 2</script>'
ROWS = 'Analyse: [{"id": "SO-1", "warehouse": "Lyon", "amount": 10.5}]'
FIGURES = "1 orders, 10.50 in total"


@pytest.fixture
def start_page(html_app: HtmlApp) -> str:
    return html_app.page("plain.html")


@pytest.fixture
def old_agent() -> Iterator[A2aAgent]:
    with A2aAgent(("0.3",)) as agent:
        yield agent


@pytest.fixture
def new_agent() -> Iterator[A2aAgent]:
    with A2aAgent(("1.0",)) as agent:
        yield agent


def task_of(agent_id: str, text: str, **more: str) -> ToolCall:
    return ToolCall(f"a2a__{agent_id}__send_task", {"task": text, **more})


def waiting_task(result: str) -> str:
    """The id of the task that waits for input, as the model reads it."""
    found = re.search(r'taskId "([^"]+)"', result)
    assert found, result
    return found[1]


def go_on(request: LlmRequest) -> list[ToolCall]:
    """Each agent that waits for input gets the rows, in its own task."""
    old, new = map(waiting_task, request.tool_results[-2:])
    return [task_of("old", ROWS, taskId=old), task_of("new", ROWS, taskId=new)]


@pytest.mark.requirement("a2a.send", "a2a.poll", "panel.untrusted")
def test_real_agents_of_both_versions_and_a_scripted_one(
    chat: ChatPanel, llm: Llm, old_agent: A2aAgent, new_agent: A2aAgent, scripted_a2a_agent: MakeA2aAgent
) -> None:
    """Messages, tasks, input asked for, polling, and an endpoint that the user puts in the card's place."""
    skill = {"id": "s", "name": MARKUP, "description": MARKUP, "tags": []}
    texts = {"name": MARKUP, "description": MARKUP, "skills": [skill]}
    lying = scripted_a2a_agent(card={"url": "http://127.0.0.1:9/elsewhere", **texts})
    bindings = A2aPanel(chat.panel)
    bindings.add("old", old_agent.card_url, token=old_agent.token)
    bindings.add("new", new_agent.card_url, token=new_agent.token)
    bindings.add("lying", lying.card_url, token=lying.token)
    bindings.expect_state("lying", "error")
    expect(bindings.agent("lying").get_by_test_id("error-code")).to_have_text("a2a_card")
    bindings.button("Edit lying").click()
    bindings.fill(endpoint=lying.endpoint, token=lying.token)
    bindings.save()
    for agent_id in ("old", "new", "lying"):
        bindings.expect_state(agent_id, "ready")
    expect(bindings.agent("lying").get_by_role("heading")).to_contain_text("<img")
    chat.show()

    lying.answer(Says(f"directly said {MARKUP}"))
    llm.reply(task_of("old", "Who are you?"), task_of("new", "Who are you?"), task_of("lying", "Hello"))
    llm.reply(task_of("old", "Analyse the orders."), task_of("new", "Analyse the orders."))
    llm.reply_by(go_on)
    llm.reply("All have answered.")
    chat.ask("Ask them all.")
    chat.expect_done("All have answered.")
    chat.expect_calls(
        *[(f"a2a__{one}__send_task", "done") for one in ("old", "new", "lying", *("old", "new") * 2)]
    )
    results = llm.requests[-1].tool_results
    assert all("Give me their rows" in result for result in results[:2])
    assert "directly said" in results[2]
    assert MARKUP in chat.result_of(chat.call("a2a__lying__send_task"))
    assert chat.panel.evaluate("globalThis.hacked ?? null") is None
    assert all("Which orders?" in result for result in results[3:5])
    assert all(FIGURES in result for result in results[5:])

    continued = [one.requests[-1].params["message"].get("taskId") for one in (old_agent, new_agent)]
    assert continued == [waiting_task(result) for result in results[3:5]]
    assert [one.method for one in old_agent.requests] == ["message/send"] * 3
    assert [one.method for one in new_agent.requests] == ["SendMessage"] * 3
    (sent,) = lying.requests
    message = sent.params["message"]
    assert (sent.method, message["role"]) == ("message/send", "user")
    assert message["parts"] == [{"kind": "text", "text": "Hello"}]
    assert message["messageId"].startswith("a2a-msg-")

    polled_one_at_a_time(chat, llm, lying)


def polled_one_at_a_time(chat: ChatPanel, llm: Llm, agent: ScriptedA2aAgent) -> None:
    """Two tasks given together: the first is polled to its end, over a failed poll, before the second is sent."""
    before = len(agent.requests)
    agent.answer(
        Step("submitted"), Step("working", "on it"), Raw("", 503), Step("completed", artifacts=("first",))
    )
    agent.answer(Step("completed", artifacts=("second", "and more")))
    llm.reply(task_of("lying", "One"), task_of("lying", "Two"))
    llm.reply("Both are done.")
    chat.ask("Give it two at once.")
    chat.expect_done("Both are done.")
    first, second = llm.requests[-1].tool_results[-2:]
    assert "first" in first
    assert "second" in second
    assert "and more" in second
    methods = [one.method for one in agent.requests[before:]]
    assert methods == ["message/send", "tasks/get", "tasks/get", "tasks/get", "message/send"], "one at a time"


class TestFailures:
    @pytest.fixture
    def agent_timings(self) -> dict[str, int]:
        return {"a2aPoll": 5, "a2aTask": 3_000}

    @pytest.mark.requirement("a2a.send", "a2a.poll")
    def test_whatever_goes_wrong_is_named_and_stop_reaches_the_agent(
        self, chat: ChatPanel, llm: Llm, scripted_a2a_agent: MakeA2aAgent
    ) -> None:
        agent, other = scripted_a2a_agent(), scripted_a2a_agent(token="")
        expected = {
            "a2a_failed: The task was failed: no luck": [Step("failed", "no luck")],
            "a2a_failed: The task was rejected": [Step("rejected")],
            "a2a_auth: The agent asks for credentials": [Step("auth-required", "log in")],
            "a2a_failed: The agent refuses the request (-32603: broken": [Refuses(-32603, "broken")],
            "is no JSON": [Raw("<html>", content_type="text/html")],
            "a2a_auth": [Raw("", 401)],
            "is too big": [Raw('"' + "x" * 2_100_000 + '"')],
            "another request's id": [
                Raw({"jsonrpc": "2.0", "id": "7", "result": {"kind": "message", "parts": []}})
            ],
            "a2a_network": [Raw("", 307, headers={"Location": other.endpoint})],
            "no status": [Raw({"jsonrpc": "2.0", "id": "7", "result": {"kind": "task", "id": "t"}})],
        }
        agent.answer(*[answer for answers in expected.values() for answer in answers])
        A2aPanel(chat.panel).add("scripted", agent.card_url, token=agent.token)
        A2aPanel(chat.panel).expect_state("scripted", "ready")
        chat.show()

        llm.reply(*[task_of("scripted", f"Task {at}") for at in range(len(expected))])
        llm.reply("Nothing worked.")
        chat.ask("Try it.")
        chat.expect_done("Nothing worked.")
        results = llm.requests[-1].tool_results
        for result, (words, _) in zip(results, expected.items(), strict=True):
            assert words in result or "another request's id" in result
        assert other.requests == [], "a token does not follow a redirect"
        assert agent.token not in str([request.body for request in llm.requests])

        agent.answer(*[Step("working")] * 61, Hold())
        llm.reply(task_of("scripted", "Never ends"), task_of("scripted", "Stalls"))
        llm.reply("Too slow.")
        chat.ask("Wait for it.")
        chat.expect_done("Too slow.")
        endless, stalled = llm.requests[-1].tool_results[-2:]
        assert "a2a_timeout" in endless
        assert "a2a_timeout" in stalled

        begun = len(agent.requests)
        agent.answer(*[Step("working")] * 61)
        llm.reply(task_of("scripted", "Work"))
        chat.ask("Work, then stop.")
        wait_until(lambda: len(agent.requests) > begun + 1, "it is polled", timeout=PATIENCE / 1000)
        chat.press("Stop")
        chat.expect_state("stopped")
        wait_until(lambda: agent.requests[-1].method == "tasks/cancel", "the agent is told to stop")


@pytest.mark.requirement("a2a.offline")
def test_one_dead_agent_does_not_hide_the_others(
    chat: ChatPanel, llm: Llm, a2a_agent: A2aAgent, scripted_a2a_agent: MakeA2aAgent
) -> None:
    dead, stalled = scripted_a2a_agent(), scripted_a2a_agent(card=Hold(), token="")
    garbage = scripted_a2a_agent(card=Raw("<html>no card</html>", content_type="text/html"), token="")
    dead_url = dead.card_url
    dead.close()
    bindings = A2aPanel(chat.panel)
    for agent_id, card_url in (
        ("dead", dead_url),
        ("garbage", garbage.card_url),
        ("stalled", stalled.card_url),
    ):
        bindings.add(agent_id, card_url)
    bindings.add("good", a2a_agent.card_url, token=a2a_agent.token)
    bindings.expect_state("good", "ready")
    for agent_id, state in (("dead", "error"), ("garbage", "error"), ("stalled", "loading")):
        bindings.expect_state(agent_id, state)
    codes = [bindings.agent(one).get_by_test_id("error-code").inner_text() for one in ("dead", "garbage")]
    assert codes == ["a2a_network", "a2a_protocol"]

    chat.show()
    llm.reply(task_of("good", ROWS))
    llm.reply("The good one works.")
    chat.ask("Ask who is there.")
    chat.expect_done("The good one works.")
    assert FIGURES in llm.requests[-1].tool_results[-1]
    assert [name for name in llm.requests[-1].tools if name.startswith("a2a__")] == ["a2a__good__send_task"]

    garbage.card = None
    bindings.show()
    bindings.button("Test garbage").click()
    bindings.expect_state("garbage", "ready")
    assert isinstance(stalled.card, Hold)
    stalled.card.release()
    bindings.expect_state("stalled", "ready")
    bindings.expect_state("dead", "error")
