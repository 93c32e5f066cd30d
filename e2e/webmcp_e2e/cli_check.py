"""``webmcp-e2e check URL``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webmcp_e2e.browser.flags import Runtime
    from webmcp_e2e.check import Report


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of ``check``."""
    command.add_argument("url", metavar="URL", help="the page, or the HTML file of one, which is then served")
    command.add_argument("--webmcp-runtime", choices=["native", "polyfill", "both"], default="both")
    command.add_argument("--json", type=Path, metavar="FILE", help="write JSON (- for standard output)")
    command.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    command.add_argument("--html", type=Path, metavar="FILE", help="write a page for a reader")


def run(options: argparse.Namespace) -> int:
    """Check; 0: all well, 1: something does not work, 3: the page or the browser could not be opened."""
    from playwright.sync_api import Error

    from webmcp_e2e.browser import HarnessError
    from webmcp_e2e.check import PageGone
    from webmcp_e2e.services.page_target import PageTargetError

    try:
        report = _report(options)
    except PageTargetError as error:
        print(f"webmcp-e2e check: {error}", file=sys.stderr)
        return 2
    except (HarnessError, Error, PageGone) as error:
        words = str(error).partition("\nCall log:")[0]
        print(f"webmcp-e2e check: {options.url} could not be looked at: {words}", file=sys.stderr)
        return 3
    _write(report, options)
    return 1 if report.failed else 0


def _report(options: argparse.Namespace) -> Report:
    from webmcp_e2e.check import Report, visit
    from webmcp_e2e.services.page_target import page_url

    both = options.webmcp_runtime == "both"
    runtimes: list[Runtime] = ["native", "polyfill"] if both else [options.webmcp_runtime]
    with page_url(options.url) as url:
        visits = [visit(url, runtime, options.webmcp_chromium, tell=_progress) for runtime in runtimes]
    return Report(options.url, [finding for one in visits for finding in one.findings])


def _progress(words: str) -> None:
    """Beside the report: a look takes seconds, and a reader that never answers takes its whole deadline."""
    print(f"  … {words}", file=sys.stderr, flush=True)


def _write(report: Report, options: argparse.Namespace) -> None:
    if options.junit:
        options.junit.write_text(report.as_junit(), encoding="utf-8")
    if options.html:
        report.as_html().write(options.html)
    if options.json == Path("-"):
        print(report.as_json())
        return
    if options.json:
        options.json.write_text(report.as_json(), encoding="utf-8")
    print("\n".join(report.lines()))
