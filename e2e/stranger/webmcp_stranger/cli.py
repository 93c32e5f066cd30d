"""What README promises to somebody who has nothing but the wheel.

An empty folder, a virtual environment of its own, ``pip install`` of the wheel, the files that README shows, a
foreign extension; then pytest, as README says.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
_CARRIED: Final = (
    "webmcp_e2e/py.typed",
    "webmcp_e2e/_data/extensions/host/manifest.json",
    "webmcp_e2e/_data/extensions/provider/manifest.json",
    "webmcp_e2e/_data/extensions/THIRD_PARTY_NOTICES",
    "webmcp_e2e/_data/html_app/index.html",
    "webmcp_e2e/_data/scenarios/conftest.py",
    "webmcp_e2e/_data/requirements.toml",
    "webmcp_e2e/html_report/report.html",
    "webmcp_e2e/hops/tap.js",
)
_NEVER: Final = re.compile(r"node_modules|__pycache__|\.pyc$|/test-results/")
_BLOCK: Final = re.compile(r"```(?:python|html|ini)\n(?:# |<!-- |; )(\S+?)(?: -->)?\n(.*?)```", re.DOTALL)
"""A block of README whose first line is a comment with the file's name."""


def main() -> int:
    """Entry point; 0 when everything that README says works with the wheel in `dist/`."""
    wheel = newest_wheel()
    wrong = list(wrong_contents(wheel))
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="webmcp-stranger-") as scratch:
        return _as_a_stranger(wheel, Path(scratch))


def newest_wheel() -> Path:
    """The last one that `make dist` built."""
    return max((ROOT / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)


def wrong_contents(wheel: Path) -> Iterator[str]:
    """What is missing from the wheel, or should not be in it."""
    names = set(zipfile.ZipFile(wheel).namelist())
    yield from (f"{wheel.name} lacks {name}" for name in _CARRIED if name not in names)
    yield from (f"{wheel.name} has {name}" for name in sorted(names) if _NEVER.search(name))


def readme_files(readme: str) -> dict[str, str]:
    """The files that README shows, by name."""
    return {match[1]: match[2] for match in _BLOCK.finditer(readme)}


def _as_a_stranger(wheel: Path, scratch: Path) -> int:
    folder, home = scratch / "project", scratch / "venv"
    for name, text in readme_files((ROOT / "README.md").read_text(encoding="utf-8")).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "example-provider", folder / "their-provider")
    print(f"stranger: pip install {wheel.name}", flush=True)
    venv.create(home, with_pip=True)
    python = str(home / "bin" / "python")
    constraints = str(ROOT / "e2e" / "constraints.txt")
    _run([python, "-m", "pip", "install", "-q", "-c", constraints, str(wheel)], folder)
    print(f"stranger: pytest, in a folder with {', '.join(sorted(os.listdir(folder)))}", flush=True)
    # Without Node on the way: the wheel has everything built.
    bare = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [python, "-m", "pytest", "-q"], cwd=folder, env=bare, check=False, timeout=300
    ).returncode


def _run(command: Sequence[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, timeout=600)
