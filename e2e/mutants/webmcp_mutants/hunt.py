"""Runs the scenarios that have to see a fault."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from webmcp_mutants.planting import plant
from webmcp_mutants.table import ROOT, Mutant, MutantError

TESTS_FAILED = 1
"""pytest's exit code."""


@dataclass(frozen=True)
class Verdict:
    """``killer``: the scenario that failed; empty for a survivor."""

    mutant: Mutant
    killer: str
    why: str


def hunt(mutant: Mutant) -> Verdict:
    """Plant one fault and look for it. Raises ``MutantError`` where nothing was proven."""
    with tempfile.TemporaryDirectory(prefix="webmcp-mutant-") as scratch:
        done = _run_scenarios(mutant, plant(mutant, Path(scratch)), Path(scratch))
    if done.returncode not in (0, TESTS_FAILED):
        raise MutantError(f"{mutant.name}: the scenarios could not be run:\n{done.stdout[-2_000:]}")
    failed = re.search(r"^FAILED \S*/scenarios/(\S+?)(?: - (.*))?$", done.stdout, re.MULTILINE)
    if done.returncode == TESTS_FAILED and not failed:
        raise MutantError(f"{mutant.name}: no scenario failed, but something did:\n{done.stdout[-2_000:]}")
    return Verdict(mutant, failed[1] if failed else "", (failed[2] or "") if failed else "")


def _run_scenarios(mutant: Mutant, subject: str, scratch: Path) -> subprocess.CompletedProcess[str]:
    scenarios = [str(ROOT / "e2e" / "scenarios" / name) for name in mutant.killed_by]
    options = ["-x", "-q", "-o", "webmcp_requirements=", "--output", str(scratch / "artifacts")]
    command = [sys.executable, "-m", "pytest", *scenarios, *options, f"--webmcp-{mutant.extension}"]
    return subprocess.run(
        [*command, subject], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
