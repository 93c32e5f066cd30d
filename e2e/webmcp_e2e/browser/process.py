"""Chromium's processes: started in a group of their own, ended as a group, never left behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_CHROMIUM_READS: Final = 3
_CHROMIUM_WRITES: Final = 4
_FIRST_FREE_FD: Final = 10
_END_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.005
_DESKTOP_TOOLS: Final = (
    "xdg-desktop-menu",
    "xdg-icon-resource",
    "xdg-mime",
    "xdg-settings",
    "update-desktop-database",
)

_REAPER: Final = """
IFS= read -r word
[ "$word" = done ] && exit
kill -KILL "-$1"
for pause in 0.1 0.5 2; do sleep $pause; rm -rf "$2"; done
"""
"""Shell text of the reaper: ends Chromium and removes its folder when the test process dies without a word.

Its standard input is a pipe whose other end only the test process holds, so even SIGKILL reaches it.
(``kill -9 -- -PGID`` would be an error in dash.)
"""


class ScratchFolder:
    """A temporary folder for one browser: profile, Chromium's own temporary files, its stderr."""

    def __init__(self) -> None:
        # A short name: Chromium puts a unix socket below it, whose path may have 107 characters only.
        self.path = Path(tempfile.mkdtemp(prefix="webmcp-"))
        self.profile = self.path / "profile"
        self.temp = self.path / "t"
        self.temp.mkdir()

    def remove(self) -> None:
        """Removes everything; a dying process may still write, so it is tried again for a bounded while."""
        until = time.monotonic() + _END_SECONDS
        while self.path.exists() and time.monotonic() < until:
            shutil.rmtree(self.path, ignore_errors=True)


@dataclass(frozen=True)
class Ends:
    """The harness's ends of the debugging pipe (file descriptors)."""

    read: int
    write: int


class ChromiumProcess:
    """One running Chromium with all its children."""

    def __init__(self, pid: int, ends: Ends, reaper: subprocess.Popen[bytes]) -> None:
        self.pid = pid
        self.ends = ends
        self._reaper = reaper
        self._status: int | None = None

    @classmethod
    def spawn(cls, argv: Sequence[str], scratch: ScratchFolder, stderr_file: Path) -> ChromiumProcess:
        """Starts ``argv`` with its debugging pipe on descriptors 3 and 4 and its stderr in ``stderr_file``."""
        theirs_read, ours_write = _high_pipe()
        ours_read, theirs_write = _high_pipe()
        with _closing(theirs_read, theirs_write):
            pid = _spawn(argv, theirs_read, theirs_write, stderr_file, scratch.temp)
        return cls(pid, Ends(ours_read, ours_write), _start_reaper(pid, scratch.path))

    @property
    def alive(self) -> bool:
        """Whether the browser process runs."""
        return self._collect(os.WNOHANG) is None

    def exit_reason(self) -> str:
        """Why the browser process ended, for a message: ``"SIGSEGV"`` or ``"exit code 1"``."""
        status = self._collect(os.WNOHANG)
        if status is None:
            return "unknown cause"
        return signal.Signals(-status).name if status < 0 else f"exit code {status}"

    def wait(self, seconds: float) -> bool:
        """Waits until the browser process has ended; false when it has not after ``seconds``."""
        until = time.monotonic() + seconds
        while self.alive and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
        return not self.alive

    def kill(self) -> None:
        """Ends the whole group at once and waits until it is gone; idempotent."""
        _signal_group(self.pid, signal.SIGKILL)
        self.wait(_END_SECONDS)
        until = time.monotonic() + _END_SECONDS
        while _group_runs(self.pid) and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
        self._dismiss_reaper()

    def _collect(self, flags: int) -> int | None:
        if self._status is None:
            with contextlib.suppress(ChildProcessError):
                pid, status = os.waitpid(self.pid, flags)
                self._status = os.waitstatus_to_exitcode(status) if pid else None
        return self._status

    def _dismiss_reaper(self) -> None:
        if self._reaper.stdin is not None and not self._reaper.stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                self._reaper.stdin.write(b"done\n")
                self._reaper.stdin.close()
        self._reaper.wait(_END_SECONDS)


def _high_pipe() -> tuple[int, int]:
    """A pipe whose descriptors cannot collide with 3 and 4, where the child expects its own."""
    low = os.pipe()
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD) for fd in low]
    for fd in low:
        os.close(fd)
    return high[0], high[1]


@contextlib.contextmanager
def _closing(*fds: int) -> Iterator[None]:
    try:
        yield
    finally:
        for fd in fds:
            os.close(fd)


def _spawn(argv: Sequence[str], reads: int, writes: int, stderr_file: Path, temp: Path) -> int:
    """``posix_spawn``: no fork of a large test process, no code of ours between fork and exec."""
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, str(stderr_file), append, 0o600),
        (os.POSIX_SPAWN_DUP2, reads, _CHROMIUM_READS),
        (os.POSIX_SPAWN_DUP2, writes, _CHROMIUM_WRITES),
    ]
    return os.posix_spawn(argv[0], list(argv), _environment(temp), file_actions=actions, setpgroup=0)


def _environment(temp: Path) -> Mapping[str, str]:
    path = os.pathsep.join([str(_quiet_desktop(temp.parent / "bin")), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "TMPDIR": str(temp), "PATH": path}


def _quiet_desktop(folder: Path) -> Path:
    """Programs that do nothing, in place of those with which Chromium tells a desktop of each extension.

    They are shell scripts, a hundred processes for ten extensions (measured), and write into the user's own folders.
    """
    folder.mkdir(exist_ok=True)
    nothing = shutil.which("true")
    for name in _DESKTOP_TOOLS if nothing else ():
        with contextlib.suppress(FileExistsError):
            (folder / name).symlink_to(str(nothing))
    return folder


def _start_reaper(group: int, folder: Path) -> subprocess.Popen[bytes]:
    argv = ["/bin/sh", "-c", _REAPER, "reaper", str(group), str(folder)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True)


def _signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _group_runs(group: int) -> bool:
    """Whether any process of the group still runs; zombies that wait for their parent do not count."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return any(_runs_in(group, entry) for entry in Path("/proc").glob("[0-9]*/stat"))


def _runs_in(group: int, stat: Path) -> bool:
    try:
        state, _, member_group = stat.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return int(member_group) == group and state != "Z"
