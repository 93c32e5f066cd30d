"""``webmcp-e2e show``: a bundle in the browser, in words, or two of them side by side."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of ``show``."""
    command.add_argument("bundle", type=Path, nargs="?", metavar="BUNDLE", help="folder of a bundle")
    command.add_argument("--diff", type=Path, nargs=2, metavar=("A", "B"), help="two bundles side by side")
    command.add_argument("--no-open", action="store_true", help="say what is in it, and open no browser")


def run(options: argparse.Namespace) -> int:
    """Show; the exit code is 1 where two runs part."""
    from webmcp_e2e.hops.reading import BundleError

    if (options.bundle is None) == (options.diff is None):
        print("webmcp-e2e show: give one bundle, or --diff A B.", file=sys.stderr)
        return 2
    try:
        return _diff(*options.diff) if options.diff else _show(options.bundle, not options.no_open)
    except BundleError as error:
        print(f"webmcp-e2e show: {error}", file=sys.stderr)
        return 2


def _show(bundle: Path, opens: bool) -> int:
    from webmcp_e2e.hops.reading import read_summary, timeline_file

    page = timeline_file(bundle)
    summary = read_summary(bundle)
    print(f"{summary.get('test', bundle)}: {summary.get('outcome', 'unknown')}")
    for call in summary.get("calls", []):
        state = (
            "failed"
            if call["failed"]
            else "answered"
            if call["ended"]
            else f"no answer, last seen: {call['last']}"
        )
        print(f"  call {call['call']:<4} {call['tool']:<30} {call['ms']:>9} ms  {state}")
    print(f"timeline   {page}\nagain      {summary.get('rerun', '')}")
    if opens and not webbrowser.open(page.resolve().as_uri()):
        print("There is no browser to open it with: open the file named above.")
    return 0


def _diff(left: Path, right: Path) -> int:
    from webmcp_e2e.hops.diff import first_parting, side_by_side, walks
    from webmcp_e2e.hops.reading import read_recording

    first, second = walks(read_recording(left)), walks(read_recording(right))
    print(f"A: {left}\nB: {right}")
    for line in side_by_side(first, second):
        print(line)
    parting = first_parting(first, second)
    print(parting or "they go the same way and say the same in every call")
    return 1 if parting else 0
