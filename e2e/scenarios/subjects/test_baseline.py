"""A strict baseline, on a real foreign subject: the MCP server that ``@mcp-b/global`` puts into its page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from webmcp_e2e import resources

pytestmark = [pytest.mark.requirement("harness.baseline", "harness.subjects")]

FAILS = "any_page.Forms.a_client_submits_it_once"
"""What the library cannot do in Chromium 154 and later (docs/gallery.md)."""
PASSES = "any_page.ItsOwnTools.one_at_least_reaches_a_client"


def conformance(baseline: Path | None, *rows: str) -> subprocess.CompletedProcess[str]:
    """The page of ``@mcp-b/global``, held against a few rows."""
    command = [sys.executable, "-m", "webmcp_e2e.cli", "conformance", "page"]
    command += [str(resources.html_app_dir() / "own-global.html"), "--own-server"]
    for row in rows:
        command += ["--rows", row]
    if baseline:
        command += ["--baseline", str(baseline)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_what_is_known_to_fail_is_no_news_and_what_is_not_is(tmp_path: Path) -> None:
    baseline = tmp_path / "known.txt"
    baseline.write_text(f"# The form cannot be submitted.\n{FAILS}\n")
    known = conformance(baseline, FAILS)
    assert known.returncode == 0, known.stdout + known.stderr
    assert "(known)" in known.stdout

    news = conformance(None, FAILS)
    assert news.returncode == 1, news.stdout + news.stderr
    assert f"failed: {FAILS}." in news.stdout


def test_a_pass_that_was_not_expected_is_an_error(tmp_path: Path) -> None:
    baseline = tmp_path / "known.txt"
    baseline.write_text(f"{FAILS}\n{PASSES}\n")
    done = conformance(baseline, PASSES)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"unexpected pass: {PASSES}. Take it out of the baseline." in done.stdout
    assert FAILS not in done.stdout, "a row that was not asked for is nobody's business"


def test_a_name_that_no_row_has_is_told_and_so_is_a_word(tmp_path: Path) -> None:
    baseline = tmp_path / "known.txt"
    baseline.write_text("any_page.Forms.of_old\n")
    done = conformance(baseline, PASSES)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "the baseline names any_page.Forms.of_old, which is no row" in done.stdout

    nothing = conformance(None, "of_old")
    assert nothing.returncode == 2
    assert PASSES in nothing.stderr, "it lists what there is"
