"""Runs the scenarios that have to see a fault."""

from __future__ import annotations

import re
import shutil
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


def hunt(mutant: Mutant, bundles: Path | None = None) -> Verdict:
    """Plant one fault and look for it; the failure's bundle is kept in ``bundles``, under the mutant's name.

    Raises ``MutantError`` where nothing was proven.
    """
    with tempfile.TemporaryDirectory(prefix="webmcp-mutant-") as scratch:
        hops = ["--webmcp-hops", "retain-on-failure"] if bundles else []
        done = _run_scenarios(mutant, plant(mutant, Path(scratch)), Path(scratch), hops)
        if bundles:
            _keep_bundle(Path(scratch), bundles / mutant.name)
    if done.returncode not in (0, TESTS_FAILED):
        raise MutantError(f"{mutant.name}: the scenarios could not be run:\n{done.stdout[-2_000:]}")
    failed = re.search(r"^FAILED \S*/scenarios/(\S+?)(?: - (.*))?$", done.stdout, re.MULTILINE)
    if done.returncode == TESTS_FAILED and not failed:
        raise MutantError(f"{mutant.name}: no scenario failed, but something did:\n{done.stdout[-2_000:]}")
    return Verdict(mutant, failed[1] if failed else "", (failed[2] or "") if failed else "")


def _keep_bundle(scratch: Path, place: Path) -> None:
    bundle = next(scratch.glob("artifacts/*/bundle"), None)
    if bundle is not None:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(bundle, place)


def _run_scenarios(
    mutant: Mutant, subject: str, scratch: Path, more: list[str]
) -> subprocess.CompletedProcess[str]:
    scenarios = [str(ROOT / "e2e" / "scenarios" / name) for name in mutant.killed_by]
    options = ["-x", "-q", "-o", "webmcp_requirements=", "--output", str(scratch / "artifacts")]
    options += ["-m", "soak or not soak", *more]
    command = [sys.executable, "-m", "pytest", *scenarios, *options, f"--webmcp-{mutant.extension}"]
    return subprocess.run(
        [*command, subject], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
