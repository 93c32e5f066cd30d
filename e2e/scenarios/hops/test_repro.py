"""A reported bug run often, and a report that somebody sends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.requirement("harness.repro")]


def repro(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``webmcp-e2e repro`` in a folder of its own."""
    command = [sys.executable, "-m", "webmcp_e2e.cli", "repro", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_bug_is_run_so_often_and_counted(tmp_path: Path) -> None:
    done = repro(tmp_path, "B21", "--repeat", "3")
    assert "B21: 0 of 3 runs failed: 0.0% (95 %: 0.0% to 56.1%)" in done.stdout, done.stdout
    assert done.returncode == 0


def test_a_report_that_fails_leaves_its_bundle_and_its_rate(tmp_path: Path) -> None:
    assert repro(tmp_path, "--new", "mine").returncode == 0
    report = tmp_path / "mine" / "report.toml"
    report.write_text(report.read_text().replace("Hello, you", "Good day, you"))
    done = repro(tmp_path, "mine")
    assert done.returncode == 1, done.stdout
    assert "1 of 1 runs failed" in done.stdout
    assert "said 'Hello, you'" in done.stdout
    bundle = Path(tmp_path, done.stdout.partition("bundle: ")[2].splitlines()[0])
    assert (bundle / "timeline.html").is_file()
    assert '"greet"' in (bundle / "summary.json").read_text()
