"""``webmcp-e2e doctor`` on this machine, with a whole browser and with one that does not start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from webmcp_e2e.browser import ChromiumBinary

pytestmark = [pytest.mark.requirement("harness.doctor"), pytest.mark.webmcp_runtime("native")]


def doctor(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "webmcp_e2e.cli", "doctor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_what_is_here_is_said_piece_by_piece(chromium_binary: ChromiumBinary) -> None:
    run = doctor("--webmcp-chromium", str(chromium_binary.path), "--json")

    assert run.returncode == 0, run.stdout + run.stderr
    told = json.loads(run.stdout)
    states = {finding["what"]: finding["state"] for finding in told["findings"]}
    assert {name: states[name] for name in ("chromium", "extension", "side panel", "webmcp", "ports")} == {
        "chromium": "ok", "extension": "ok", "side panel": "ok", "webmcp": "ok", "ports": "ok",
    }  # fmt: skip
    assert all(finding["mend"] for finding in told["findings"] if finding["state"] != "ok")


def test_a_browser_that_ends_at_once_is_wrong_and_says_its_last_words(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    words = "error while loading shared libraries: libnss3.so"
    broken.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && {{ echo Chromium 156.0.0.0; exit 0; }}\necho "{words}" >&2\nexit 127\n'
    )
    broken.chmod(0o755)

    run = doctor("--webmcp-chromium", str(broken))

    assert run.returncode == 3, run.stdout + run.stderr
    assert words in run.stdout
    assert " wrong  start" in run.stdout
    assert "mend: " in run.stdout
