"""Browsers beside one another share no port, no profile and no file, and leave nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright
from process_tree import listening_sockets, members, open_files

from webmcp_e2e import resources
from webmcp_e2e.browser import ChromiumBinary, ExtensionBrowser
from webmcp_e2e.contract import RELAY_SETTINGS_KEY

pytestmark = [pytest.mark.requirement("harness.parallel"), pytest.mark.webmcp_runtime("native")]

SILENT = {"enabled": False, "host": "127.0.0.1", "ports": [1, 1]}

INNER_TESTS = """
import json, os, time
import pytest

@pytest.mark.parametrize("number", range(2))
def test_note(extension_browser, host, relay, tmp_path, number):
    began = time.monotonic()
    note = {
        "shard": os.environ["PYTEST_XDIST_WORKER"],
        "profile": str(extension_browser.profile_dir),
        "pid": extension_browser.pid,
        "ports": list(relay.ports),
        "relay": relay.port,
        "files": str(tmp_path),
        "stored": host.storage.get("relaySettings")["ports"],
        "span": [began, time.monotonic()],
    }
    path = os.path.join(os.environ["NOTES"], f"{number}.json")
    with open(path, "w") as file:
        json.dump(note, file)
"""


def test_two_browsers_at_once_share_nothing(
    playwright: Playwright, chromium_binary: ChromiumBinary, request: pytest.FixtureRequest
) -> None:
    pair = [ExtensionBrowser.launch(playwright, binary=chromium_binary) for _ in range(2)]
    for browser in pair:
        request.addfinalizer(browser.close)
    hosts = [
        browser.load_extension(resources.extension_dir("host"), local_storage={RELAY_SETTINGS_KEY: SILENT})
        for browser in pair
    ]
    trees = [members(browser.pid) for browser in pair]
    temporary = Path(tempfile.gettempdir())

    hosts[0].storage.set({"mark": "first"})

    assert hosts[1].storage.get("mark") is None
    assert pair[0].profile_dir != pair[1].profile_dir
    assert not set(trees[0]) & set(trees[1])
    files = [open_files(tree, temporary) for tree in trees]
    assert all(files), "each has files of its own open"
    assert not files[0] & files[1]
    assert listening_sockets(trees[0] + trees[1]) == set()


def test_a_closed_browser_leaves_nothing(playwright: Playwright, chromium_binary: ChromiumBinary) -> None:
    browser = ExtensionBrowser.launch(playwright, binary=chromium_binary)
    pid, scratch = browser.pid, browser.profile_dir.parent
    assert members(pid)
    assert scratch.exists()

    browser.close()
    browser.close()

    assert members(pid) == []
    assert not scratch.exists()


def test_a_run_with_two_jobs_shares_nothing(tmp_path: Path, chromium_binary: ChromiumBinary) -> None:
    notes = run_inner_tests(tmp_path, chromium_binary)

    assert {note["shard"] for note in notes} == {"gw0", "gw1"}
    for key in ("profile", "pid", "files"):
        assert len({note[key] for note in notes}) == len(notes), f"every test has its own {key}"
    for note in notes:
        assert note["stored"] == [note["ports"][0], note["ports"][-1]]
        assert note["relay"] in note["ports"]
        assert not set(note["ports"]) & set(range(9333, 9349)), "a person's own relay is left alone"
        assert members(note["pid"]) == []
        assert not Path(note["profile"]).parent.exists()
    for one, other in overlapping(notes):
        assert not set(one["ports"]) & set(other["ports"])


def run_inner_tests(tmp_path: Path, chromium_binary: ChromiumBinary) -> list[dict[str, Any]]:
    """Runs two tests on two jobs, as a user's project would, and returns what each noted."""
    folder, notes = tmp_path / "project", tmp_path / "notes"
    folder.mkdir()
    notes.mkdir()
    (folder / "test_inner.py").write_text(INNER_TESTS)
    command = [sys.executable, "-m", "pytest", "-n", "2", "-q", "-p", "no:cacheprovider", str(folder)]
    command += ["--rootdir", str(folder), "--webmcp-chromium", str(chromium_binary.path)]
    command += ["--output", str(tmp_path / "output"), "--basetemp", str(tmp_path / "base")]
    environment = {**clean_environment(), "NOTES": str(notes)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(path.read_text()) for path in notes.iterdir()]


def clean_environment() -> dict[str, str]:
    """Ours without what pytest and its shards have put in."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}


def overlapping(notes: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The pairs of tests in different shards that ran at the same time."""
    pairs = [(one, other) for one in notes for other in notes if one["shard"] < other["shard"]]
    return [(a, b) for a, b in pairs if a["span"][0] <= b["span"][1] and b["span"][0] <= a["span"][1]]
