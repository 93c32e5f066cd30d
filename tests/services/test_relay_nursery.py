"""Relays that are forked from a process which has the imports done are relays like any other."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from webmcp_e2e.services.mcp_client import McpClientError
from webmcp_e2e.services.ports import port_range
from webmcp_e2e.services.relay_nursery import RelayNursery
from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

MANAGEMENT = {"webmcp_list_sources", "webmcp_list_tools", "webmcp_call_tool", "webmcp_open_page"}


@pytest.fixture
def nursery() -> Iterator[RelayNursery]:
    nursery = RelayNursery()
    yield nursery
    nursery.close()


@pytest.fixture
def ports() -> Iterator[range]:
    with port_range(2) as ports:
        yield ports


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_two_relays_serve_and_end_apart(nursery: RelayNursery, ports: range, tmp_path: Path) -> None:
    first, second = (Relay(ports[n : n + 1], tmp_path, nursery=nursery, name=f"r{n}") for n in range(2))
    first.start()
    second.start()
    assert first.pid != second.pid
    assert set(first.tools()) == set(second.tools()) == MANAGEMENT

    killed = first.pid
    first.kill(signal.SIGKILL)
    wait_until(lambda: not alive(killed), "the killed relay is gone and reaped")
    assert second.sources() == []

    pid = second.pid
    second.close()
    wait_until(lambda: not alive(pid), "a relay whose client has gone ends")


def test_a_relay_ends_with_the_nursery(nursery: RelayNursery, ports: range, tmp_path: Path) -> None:
    relay = Relay(ports, tmp_path, nursery=nursery)
    relay.start()
    pid = relay.pid
    nursery.close()
    wait_until(lambda: not alive(pid), "an orphan has ended")
    relay.close()


def test_exit_code_and_errors_are_the_relays(nursery: RelayNursery, ports: range, tmp_path: Path) -> None:
    run = subprocess.run(
        [*nursery.command, "--nonsense"], capture_output=True, text=True, timeout=20, check=False
    )
    assert run.returncode == 2
    assert "--nonsense" in run.stderr

    wrong = Relay(ports, tmp_path, nursery=nursery, flags=["--nonsense"])
    with pytest.raises(McpClientError, match="--nonsense"):
        wrong.start()
