"""``webmcp-e2e open``: the hops of a browser that somebody works in, in the terminal."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from webmcp_e2e.services.relay_process import Relay
from webmcp_e2e.waiting import wait_until

pytestmark = [pytest.mark.webmcp_runtime("native"), pytest.mark.requirement("harness.timeline")]


class Opened:
    """The command as a process, its output in a file."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._out = folder / "out.txt"
        command = [sys.executable, "-m", "webmcp_e2e.cli", "open", "--headless", *arguments]
        env = {**os.environ, "TMPDIR": str(folder)}
        with self._out.open("w") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=env)

    @property
    def lines(self) -> list[str]:
        return self._out.read_text().splitlines()

    def line(self, *words: str) -> str:
        """The first line with all of these words, awaited."""

        def found() -> str:
            return next((line for line in self.lines if all(word in line for word in words)), "")

        return wait_until(found, f"a line with {words}", timeout=30)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: Chromium makes sockets in it."""
    with tempfile.TemporaryDirectory(prefix="o-") as folder:
        yield Path(folder)


@pytest.fixture
def opened(folder: Path) -> Iterator[Opened]:
    opened = Opened(folder, "-f", "echo", "-f", "!webmcp_list")
    yield opened
    opened.process.terminate()  # not killed: it has a browser and a relay to end
    opened.process.wait(20)


def test_a_call_is_printed_at_each_hop_and_nothing_is_left_behind(
    opened: Opened, folder: Path, tmp_path: Path
) -> None:
    port = int(opened.line("relay", "127.0.0.1:").rpartition(":")[2])
    second = Relay(range(port, port + 1), tmp_path, name="second")
    second.start()
    wait_until(lambda: "echo" in second.tools(), "the page's tools")
    assert not second.call("echo", {"text": "a\x1b[31mb"}).is_error
    second.close()

    for lane in (" relay", "host: worker", "host: content script", " page"):
        assert "echo" in opened.line(lane, "echo")
    told = [line for line in opened.lines if "echo" in line]
    assert not [line for line in told if "webmcp_list" in line or "\x1b" in line]

    opened.process.send_signal(signal.SIGTERM)
    assert opened.process.wait(20) == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0, "the relay is gone"
    left = [path.name for path in folder.iterdir() if path.name.startswith("webmcp-")]
    assert [name for name in left if not name.startswith("webmcp-e2e-ports")] == []
