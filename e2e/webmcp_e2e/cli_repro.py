"""``webmcp-e2e repro``: a reported bug, or a report that somebody sent, run often and counted."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # pytest is imported when something runs: every other command starts without it.
    from webmcp_e2e.repro import How, Report, Runs

_BUG = re.compile(r"[Bb]\d+")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of ``repro``."""
    command.add_argument("subject", nargs="?", metavar="BUG|FILE", help="B09, or the folder of a report")
    command.add_argument("--new", type=Path, metavar="NAME", help="make the folder of a new report that runs")
    command.add_argument("--repeat", type=_count, default=1, metavar="N", help="so many runs (default 1)")
    command.add_argument("--until-fail", action="store_true", help="stop at the first run that fails")
    command.add_argument("--jobs", type=_count, default=1, metavar="N", help="runs at once")
    command.add_argument(
        "--keep-passed", action="store_true", help="keep bundles of runs that passed too, to compare"
    )
    command.add_argument("--trust", action="store_true", help="run the Python and the extension of a report")
    command.add_argument("--out", type=Path, default=Path("test-results/repro"), metavar="DIR")
    command.add_argument(
        "--bisect-chromium",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="run it in these browsers, oldest and newest first, and name the two between which it changes",
    )
    command.add_argument(
        "--html", type=Path, metavar="FILE", help="write a page for a reader, with the bundles"
    )


def run(options: argparse.Namespace) -> int:
    """Reproduce; 0: no run failed, 1: one did, 2: usage, 3: it could not be run."""
    from webmcp_e2e.repro import ReportError, scaffold

    try:
        if options.new:
            print(f"{scaffold(options.new)}: change it, then run `webmcp-e2e repro {options.new}`")
            return 0
        if not options.subject:
            print(
                "webmcp-e2e repro: give a bug (B09), the folder of a report, or --new NAME.", file=sys.stderr
            )
            return 2
        return _reproduce(options)
    except ReportError as error:
        print(f"webmcp-e2e repro: {error}", file=sys.stderr)
        return 2


def _reproduce(options: argparse.Namespace) -> int:
    from webmcp_e2e.repro import load_report, run_bug, run_report

    subject: str = options.subject
    if _BUG.fullmatch(subject):
        bug = f"B{int(subject[1:]):02}"
        return _run(options, bug, partial(run_bug, bug))
    report = load_report(Path(subject))
    if not options.trust and _asks_for_trust(report):
        return 2
    return _run(options, report.title, partial(run_report, report))


def _run(options: argparse.Namespace, subject: str, reproduce: Callable[[How], Runs]) -> int:
    from webmcp_e2e.repro import How, bisect, browsers

    how = How(options.repeat, options.until_fail, options.jobs, options.keep_passed, options.out)
    if not options.bisect_chromium:
        return _tell(subject, reproduce(_with(how, options.webmcp_chromium)), options.html)
    found = bisect(browsers(options.bisect_chromium), partial(_in_browser, reproduce, how))
    print("\n" + "\n".join([subject, *found.lines()]))
    return 1 if any(rate.failures for rate in found.rates.values()) else 0


def _with(how: How, chromium: Path | None) -> How:
    return replace(how, pytest_args=["--webmcp-chromium", str(chromium)]) if chromium else how


def _in_browser(reproduce: Callable[[How], Runs], how: How, chromium: Path) -> Runs:
    """At module level, so that another process can be told to call it."""
    return reproduce(_with(how, chromium))


def _asks_for_trust(report: Report) -> bool:
    files = list(report.untrusted())
    if files:
        print("This report brings code that would run outside a page's sandbox:", file=sys.stderr)
        print("".join(f"  {path}\n" for path in files), end="", file=sys.stderr)
        print("Read it; if you trust it, give --trust.", file=sys.stderr)
    return bool(files)


def _tell(subject: str, runs: Runs, html: Path | None = None) -> int:
    if runs.broken:
        print(f"{subject}: nothing was run to its end; see above.", file=sys.stderr)
        return 3
    print(f"\n{subject}: {runs.rate}")
    if html:
        runs.as_html(subject, html).write(html)
    for bundle in runs.bundles:
        print(f"bundle: {bundle}")
    if runs.to_compare:
        print("compare: webmcp-e2e show --diff " + shlex.join(runs.to_compare))
    return 1 if runs.rate.failures else 0
