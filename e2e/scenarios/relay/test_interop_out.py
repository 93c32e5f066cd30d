"""Our extension on the published npm relay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from relay_kit import ErrorOf

from webmcp_e2e.chain import Chain
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = [
    pytest.mark.requirement("chain.relay.interop-out"),
    pytest.mark.webmcp_runtime("native"),
]


@pytest.fixture
def webmcp_timings() -> dict[str, int]:
    return {"alarmFirst": 1_000, "alarmSecond": 1_000, "alarmRest": 1_000}


@pytest.fixture
def relay(relay_ports: range, tmp_path: Path, npm_command: list[str]) -> Iterator[Relay]:
    """The npm relay in the place of ours."""
    npm = Relay(relay_ports, tmp_path, command=npm_command, name="npm")
    npm.start()
    yield npm
    npm.close()


def test_tools_are_listed_called_and_kept_current(chain: Chain) -> None:
    assert chain.call("echo", {"text": "hi"})["content"][0]["text"] == "hi"
    assert chain.call("sum", {"a": 2, "b": 3})["content"][0]["text"] == '{"sum":5}'
    assert chain.call("always_fail")["isError"] is True
    chain.call("register_more", {"n": 1})
    wait_until(lambda: "more_1" in chain.relay.page_tools(), "the new tool")
    assert "chrome_extension_list_tabs" in chain.relay.page_tools()


def test_the_worker_may_be_recycled_and_each_call_runs_once(chain: Chain) -> None:
    """This relay knows no grace: it forgets the tools with the socket, so a call may fail until they are back."""

    def echoed(said: str) -> bool:
        return bool(chain.call("echo", {"text": said})["content"][0]["text"] == said)

    for number in range(3):
        chain.host.worker.stop()
        wait_until(lambda said=str(number): echoed(said), "the call goes through again", timeout=40)

    assert [one.args for one in chain.html_app.invocations] == [{"text": str(number)} for number in range(3)]


def test_it_may_restart(chain: Chain) -> None:
    chain.relay.restart()
    chain.wait_ready("echo", timeout=40)
    assert chain.call("echo", {"text": "again"})["content"][0]["text"] == "again"


@pytest.mark.requirement("chain.relay.payload")
def test_what_its_one_megabyte_cannot_take_is_too_large_and_the_socket_stays(
    chain: Chain, error_of: ErrorOf
) -> None:
    connected = {source["sourceId"] for source in chain.relay.sources()}
    slow = chain.relay.call_soon("slow", {"ms": 1_500})
    chain.html_app.wait_for_invocations(1)

    assert error_of(chain.call("big", {"bytes": 1_100_000})) == ("too_large", "yes")

    assert len(chain.call("big", {"bytes": 900_000})["content"][0]["text"]) >= 900_000
    assert not slow.result(timeout=30).is_error
    assert {source["sourceId"] for source in chain.relay.sources()} == connected
