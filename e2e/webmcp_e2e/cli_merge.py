"""``webmcp-e2e merge SHARD... --out DIR``: options, words and exit code."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from webmcp_e2e import merge, resources
from webmcp_e2e.requirements import RequirementError

EPILOG = """\
example, two machines and a third that merges:
  pytest e2e/scenarios --splits 2 --group 1 --junitxml test-results/junit.xml --output test-results/artifacts
  pytest e2e/scenarios --splits 2 --group 2 --junitxml test-results/junit.xml --output test-results/artifacts
  webmcp-e2e merge shard-1/test-results shard-2/test-results --out merged --expect 2

exit codes: 0 everything passed in some shard, 1 a test failed, 2 usage, 3 the shards do not make one run
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of ``merge``."""
    command.epilog = EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument(
        "shards", type=Path, nargs="+", metavar="SHARD", help="a shard's test-results folder"
    )
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the merged results go")
    command.add_argument(
        "--expect", type=int, metavar="N", help="how many shards the run has; fewer or more are an error"
    )
    command.add_argument("--requirements", type=Path, metavar="FILE", help="your requirement table")
    command.add_argument("--scenarios", type=Path, metavar="DIR", help="the folder of its scenarios")
    command.add_argument("--no-coverage", action="store_true", help="merge tests that prove no requirements")


def run(options: argparse.Namespace) -> int:
    """Merge, and say what came out."""
    if (options.requirements is None) != (options.scenarios is None):
        print("webmcp-e2e merge: --requirements and --scenarios go together.", file=sys.stderr)
        return 2
    if options.expect not in (None, len(options.shards)):
        told = f"{len(options.shards)} shards of {options.expect}. Name every shard of the run."
        print(f"webmcp-e2e merge: {told}", file=sys.stderr)
        return 3
    table = options.requirements or resources.requirements_file()
    scenarios = options.scenarios or resources.scenarios_dir()
    judged = () if options.no_coverage else (table, scenarios)
    try:
        merged = merge.merge(options.shards, options.out, *judged)
    except (merge.MergeError, RequirementError, OSError) as error:
        print(f"webmcp-e2e merge: {error}", file=sys.stderr)
        return 3
    return _report(merged, len(options.shards), options.out)


def _report(merged: merge.Merged, shards: int, out: Path) -> int:
    for line in merged.coverage.lines() if merged.coverage else []:
        print(line)
    for case in merged.failed:
        print(f"failed: {case.key} (in {case.shard})")
    for scenario in merged.missing:
        print(f"ran in no shard: {scenario.nodeid}")
    passed = sum(case.outcome == "passed" for case in merged.cases)
    print(f"{shards} shards, {len(merged.cases)} tests: {passed} passed, {len(merged.failed)} failed; {out}")
    if merged.failed:
        return 1
    if merged.missing:
        print("webmcp-e2e merge: scenarios ran in no shard. Name every shard of the run.", file=sys.stderr)
        return 3
    return 0
