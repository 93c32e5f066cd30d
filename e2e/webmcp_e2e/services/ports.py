"""Port ranges that no other test, test process or person is using.

A range is held by an advisory file lock for as long as the test runs, so parallel workers and parallel
checkouts on one machine never share one; the default range of relays (9333-9348) is never handed out.
"""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FIRST, _LAST = 12_000, 31_000
"""Below the usual ephemeral ports (32768 and up), above the well-known services."""
_ATTEMPTS = 200


class NoFreePorts(RuntimeError):
    """No range of free ports was found; the message says what to look at."""


def _lock_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"webmcp-e2e-ports-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _all_free(ports: range) -> bool:
    for port in ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


@contextmanager
def port_range(size: int = 4) -> Iterator[range]:
    """Yield ``size`` adjacent free loopback ports, ours alone until the block ends.

    Raises:
        NoFreePorts: after 200 candidates.
    """
    folder = _lock_folder()
    for _ in range(_ATTEMPTS):
        first = random.randrange(_FIRST, _LAST, 16)
        with open(folder / str(first), "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            ports = range(first, first + size)
            if _all_free(ports):
                yield ports
                return
    raise NoFreePorts(
        f"no {size} adjacent free ports between {_FIRST} and {_LAST} on 127.0.0.1. "
        "Close programs that hold many ports, or remove stale test processes."
    )
