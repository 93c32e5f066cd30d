"""The example of docs/protocol.md keeps the protocol: the real command, a real browser."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "example-provider"


def test_it_passes(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    arguments = ["conformance", "provider", str(EXAMPLE), "--json", str(report)]
    with (tmp_path / "printed").open("w") as printed:
        code = subprocess.call(
            [sys.executable, "-m", "webmcp_e2e.cli", *arguments], stdout=printed, timeout=500
        )

    rows = json.loads(report.read_text())["rows"]
    assert code == 0, (tmp_path / "printed").read_text()
    assert {row["outcome"] for row in rows} == {"passed", "not tested"}
    untested = {row["name"].partition(".")[0] for row in rows if row["outcome"] == "not tested"}
    assert untested <= {"rate", "probe"}, "it only reads, and is always ready"


def test_it_is_short() -> None:
    assert len((EXAMPLE / "worker.js").read_text().splitlines()) <= 60
