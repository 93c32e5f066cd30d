"""Processes: nothing of a browser outlives the test that started it, however that ends. A shell plays Chromium."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from webmcp_e2e.browser.process import ChromiumProcess, ScratchFolder
from webmcp_e2e.waiting import wait_until

FAMILY = "sleep 600 & echo $! >&4; sleep 600 & echo $! >&4; wait"
DEAF_FAMILY = f"trap '' TERM HUP INT; {FAMILY}"

OWNER = """
import os, sys, time
from pathlib import Path
from webmcp_e2e.browser.process import ChromiumProcess, ScratchFolder
scratch = ScratchFolder()
process = ChromiumProcess.spawn(["/bin/sh", "-c", sys.argv[1]], scratch, scratch.path / "stderr")
child = os.read(process.ends.read, 100).decode().split()[0]
print(process.pid, child, scratch.path, flush=True)
time.sleep(600)
"""


def spawn(script: str, scratch: ScratchFolder) -> ChromiumProcess:
    return ChromiumProcess.spawn(["/bin/sh", "-c", script], scratch, scratch.path / "stderr")


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def first_child(process: ChromiumProcess) -> int:
    return int(read_line(process))


def read_line(process: ChromiumProcess) -> str:
    with open(process.ends.read, "rb", buffering=0, closefd=False) as pipe:
        return pipe.readline().decode().strip()


def test_the_pipe_is_on_descriptors_3_and_4_and_stderr_in_its_file() -> None:
    scratch = ScratchFolder()
    process = spawn("read line <&3; echo got $line >&4; echo complaint >&2", scratch)
    with open(process.ends.write, "wb", buffering=0) as pipe:
        pipe.write(b"hello\n")

    assert read_line(process) == "got hello"
    assert process.wait(10)
    assert (scratch.path / "stderr").read_text() == "complaint\n"
    assert process.exit_reason() == "exit code 0"
    process.kill()
    scratch.remove()


def test_chromiums_temporary_files_go_into_the_scratch_folder() -> None:
    scratch = ScratchFolder()
    process = spawn("echo $TMPDIR >&4", scratch)

    assert Path(read_line(process)).is_relative_to(scratch.path)
    process.kill()
    scratch.remove()
    assert not scratch.path.exists()


def test_no_desktop_is_told_of_extensions() -> None:
    scratch = ScratchFolder()
    process = spawn(
        "for tool in xdg-icon-resource xdg-desktop-menu; do $tool install x || exit; done; echo fine >&4",
        scratch,
    )

    assert read_line(process) == "fine"
    process.kill()
    scratch.remove()


def test_killing_ends_the_whole_family_even_a_deaf_one() -> None:
    scratch = ScratchFolder()
    process = spawn(DEAF_FAMILY, scratch)
    child = first_child(process)
    assert runs(child)

    process.kill()
    process.kill()

    assert not process.alive
    assert not runs(child)
    assert process.exit_reason() == "SIGKILL"
    scratch.remove()


def test_a_crash_is_told_by_its_signal() -> None:
    scratch = ScratchFolder()
    process = spawn("kill -SEGV $$", scratch)

    assert process.wait(10)
    assert process.exit_reason() == "SIGSEGV"
    process.kill()
    scratch.remove()


def after_the_end_of_its_owner(end: Callable[[subprocess.Popen[str]], object]) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, DEAF_FAMILY], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert owner.stdout is not None
    pid, child, folder = owner.stdout.readline().split()
    assert runs(int(pid))

    end(owner)
    owner.wait(10)

    wait_until(lambda: not runs(int(pid)) and not runs(int(child)), "the family is gone")
    wait_until(lambda: not Path(folder).exists(), "the folder is gone")


def test_a_killed_test_process_leaves_nothing() -> None:
    after_the_end_of_its_owner(lambda owner: owner.kill())


def test_a_terminated_test_process_leaves_nothing() -> None:
    after_the_end_of_its_owner(lambda owner: owner.send_signal(signal.SIGTERM))


def test_a_scratch_folder_is_removed_while_somebody_still_writes() -> None:
    scratch = ScratchFolder()
    writer = subprocess.Popen(
        [
            "/bin/sh",
            "-c",
            f"i=0; while [ $i -lt 300 ]; do : > {scratch.temp}/$i 2>/dev/null; i=$((i+1)); done",
        ],
        stderr=subprocess.DEVNULL,
    )

    began = time.monotonic()
    scratch.remove()
    writer.wait(10)
    scratch.remove()

    assert not scratch.path.exists()
    assert time.monotonic() >= began
