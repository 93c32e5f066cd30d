"""The command line: the table, and 0 when every mutant was killed, 1 when one survived, 3 when one proved nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from webmcp_mutants.hunt import Verdict, hunt
from webmcp_mutants.table import Mutant, MutantError, load


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(prog="mutants", description="Plant each known fault; show what sees it.")
    parser.add_argument(
        "-k", default="", metavar="WORDS", help="only mutants with one of these words in the name"
    )
    parser.add_argument(
        "--bundles", type=Path, metavar="DIR", help="record hops; keep each failure's bundle here"
    )
    options = parser.parse_args(arguments)
    mutants = load(options.k)
    codes = [_one(mutant, options.bundles) for mutant in mutants]
    print(f"\n{codes.count(0)} of {len(mutants)} mutants killed")
    return max(codes, default=3)


def _one(mutant: Mutant, bundles: Path | None) -> int:
    try:
        verdict = hunt(mutant, bundles)
    except MutantError as error:
        print(f"ERROR     {error}", flush=True)
        return 3
    print(_line(verdict), flush=True)
    return 0 if verdict.killer else 1


def _line(verdict: Verdict) -> str:
    mutant = verdict.mutant
    fate = f"killed by {verdict.killer}" if verdict.killer else "SURVIVED"
    return f"{mutant.name:<28} {mutant.about}\n{'':<28} {fate} {verdict.why}".rstrip()
