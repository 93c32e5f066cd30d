"""Builds the subject with one fault in it, beside the real one."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from webmcp_mutants.table import ROOT, Mutant, MutantError, mutated

SOURCES = ROOT / "extensions"
PACKAGE = ROOT / "e2e" / "webmcp_e2e"


def plant(mutant: Mutant, scratch: Path) -> str:
    """What the option ``--webmcp-<subject>`` has to be: a folder, or a command. The work tree is not touched.

    Raises ``MutantError``.
    """
    return _relay(mutant, scratch) if mutant.extension == "relay" else str(_extension(mutant, scratch))


def _relay(mutant: Mutant, scratch: Path) -> str:
    copy = scratch / PACKAGE.name
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    _edit(mutant, copy / mutant.file)
    return shlex.join(["env", f"PYTHONPATH={scratch}", sys.executable, "-m", "webmcp_e2e.relay.cli"])


def _edit(mutant: Mutant, file: Path) -> None:
    file.write_text(mutated(mutant, file.read_text(encoding="utf-8")), encoding="utf-8")


def _extension(mutant: Mutant, scratch: Path) -> Path:
    copy = scratch / "extensions"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("node_modules", "dist", "tests"))
    (copy / "node_modules").symlink_to((SOURCES / "node_modules").resolve())
    _edit(mutant, copy / mutant.file)
    built = subprocess.run(
        ["node", "build.mjs"], cwd=copy, capture_output=True, text=True, check=False, timeout=120
    )
    if built.returncode:
        raise MutantError(f"{mutant.name} does not build: {built.stderr[-1_000:]}")
    return copy / "dist" / mutant.extension
