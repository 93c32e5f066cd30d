"""Relay processes that are there at once: forked from one that has imported everything.

A relay takes 0.7 CPU-seconds to start, nearly all of it imports of the MCP SDK. A test run needs hundreds. The nursery
is a process that has done the imports and forks when asked: each child is a relay process like any other, with the
standard streams of the command that asked (``relay_stub.py``), which the official MCP client started and which ends
when the relay does. ``WEBMCP_RELAY_NURSERY=0`` starts each relay from nothing.

Request on the socket, with the three standard streams attached: ``{"argv", "cwd", "env"}``. The first answer, a line,
is the process id; any byte from the asker lets the process go on; the second answer is the wait status of its end.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

STUB: Final = Path(__file__).with_name("relay_stub.py")
PID_FILE_VARIABLE: Final = "WEBMCP_RELAY_PID_FILE"
"""Tells the stub where to write the relay's process id."""
SWITCH: Final = "WEBMCP_RELAY_NURSERY"
_MOST_REQUEST: Final = 1 << 20


class RelayNursery:
    """The nursery of one test run, started at the first use. ``command`` stands for ``webmcp-relay``."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def command(self) -> list[str]:
        """The program and leading arguments that make a relay."""
        return [sys.executable, "-I", "-S", str(STUB), self._address()]

    def close(self) -> None:
        """End it, and with it every relay that is left; idempotent."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(10)
        if self._folder is not None:
            self._folder.cleanup()
        self._process = self._folder = None

    def _address(self) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="webmcp-nursery-")
        address = str(Path(self._folder.name) / "socket")
        if self._process is None:
            command = [sys.executable, "-m", __spec__.name, address]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert self._process.stdout is not None
            self._process.stdout.readline()  # it listens
        return address


class _Children:
    """Who asked for each relay that runs."""

    def __init__(self) -> None:
        self._askers: dict[int, socket.socket] = {}

    def bear(self, asker: socket.socket, listener: socket.socket) -> None:
        """Fork a relay for ``asker``."""
        request, streams, _, _ = socket.recv_fds(asker, _MOST_REQUEST, 3)
        pid = os.fork()
        if pid == 0:
            asker.recv(1)
            for other in (listener, asker, *self._askers.values()):
                other.close()
            _become_relay(json.loads(request), streams)
        for stream in streams:
            os.close(stream)
        self._askers[pid] = asker
        asker.sendall(b"%d\n" % pid)

    def reap(self) -> None:
        """Tell of those that have ended."""
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                asker = self._askers.pop(pid)
                with suppress(OSError):  # a stub that was killed asks no more
                    asker.sendall(b"%d\n" % status)
                asker.close()


def _become_relay(request: dict[str, Any], streams: list[int]) -> None:
    from webmcp_e2e.relay.cli import main

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    code = 3
    try:
        code = main(request["argv"])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 3
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _serve(address: str) -> None:
    import gc
    import selectors

    import webmcp_e2e.relay.flags
    import webmcp_e2e.relay.mcp_server
    import webmcp_e2e.relay.relay  # noqa: F401

    with suppress(ImportError):  # no Windows wheel
        import uvloop  # noqa: F401
    gc.freeze()
    ended, wake = socket.socketpair()
    for end in (ended, wake):
        end.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    children = _Children()
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as selector:
        listener.bind(address)
        listener.listen(64)
        for source in (listener, ended, sys.stdin):
            selector.register(source, selectors.EVENT_READ)
        print("ready", flush=True)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if sys.stdin in ready:
                return
            if ended in ready:
                ended.recv(64)
                children.reap()
            if listener in ready:
                children.bear(listener.accept()[0], listener)


if __name__ == "__main__":
    _serve(sys.argv[1])
