"""What a process tree has open, read from ``/proc``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"


def members(group: int) -> list[int]:
    """The processes of a process group that still run."""
    return [pid for pid, (state, of_group) in _states() if of_group == group and state != "Z"]


def listening_sockets(pids: list[int]) -> set[str]:
    """The TCP addresses (hexadecimal, as the kernel prints them) on which these processes listen."""
    inodes = {inode for pid in pids for inode in _socket_inodes(pid)}
    return {address for address, inode in _listeners() if inode in inodes}


def open_files(pids: list[int], below: Path) -> set[str]:
    """The files under ``below`` that these processes have open."""
    targets = {target for pid in pids for target in _descriptors(pid)}
    return {target for target in targets if target.startswith(str(below))}


def _states() -> Iterator[tuple[int, tuple[str, int]]]:
    for entry in PROC.glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        yield int(entry.parent.name), (fields[0], int(fields[2]))


def _listeners() -> Iterator[tuple[str, str]]:
    for table in ("net/tcp", "net/tcp6"):
        for line in (PROC / table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENING:
                yield fields[1], fields[9]


def _socket_inodes(pid: int) -> Iterator[str]:
    for target in _descriptors(pid):
        if target.startswith("socket:["):
            yield target[len("socket:[") : -1]


def _descriptors(pid: int) -> Iterator[str]:
    try:
        names = os.listdir(PROC / str(pid) / "fd")
    except OSError:
        return
    for name in names:
        try:
            yield os.readlink(PROC / str(pid) / "fd" / name)
        except OSError:
            continue
