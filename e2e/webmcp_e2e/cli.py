"""``webmcp-e2e``: what a person runs beside pytest.

Exit codes: 0 all as expected, 1 the subject failed, 2 usage, 3 the harness or the environment failed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from webmcp_e2e import __version__, cli_check, cli_examples, cli_merge, cli_repro, cli_show, resources


def _doctor(options: argparse.Namespace) -> int:
    from webmcp_e2e.doctor import report

    return report(options.webmcp_chromium, as_json=options.json)


def _extensions(options: argparse.Namespace) -> int:
    out: Path = options.out
    if out.exists() and any(out.iterdir()):
        print(f"{out} is not empty. Name a folder that does not exist yet.", file=sys.stderr)
        return 2
    built = resources.extension_dir("host").parent
    for manifest in sorted(built.glob("*/manifest.json")):
        shutil.copytree(manifest.parent, out / manifest.parent.name)
        print(f"{out / manifest.parent.name}: load it by chrome://extensions, Developer mode, Load unpacked")
    return 0


def _scenarios(options: argparse.Namespace) -> int:
    import pytest

    return int(pytest.main([*resources.scenario_arguments(), *options.pytest_args]))


def _conformance(options: argparse.Namespace) -> int:
    from webmcp_e2e.conformance import Request, run

    request = Request(
        role=options.role,
        target=options.target,
        own_server=options.own_server,
        rows=tuple(options.rows),
        chromium=options.webmcp_chromium,
        baseline=options.baseline,
        junit=options.junit,
        html=options.html,
        bundles=options.bundles,
        json=options.json,
    )
    return run(request)


def _open(options: argparse.Namespace) -> int:
    from webmcp_e2e.open_browser import Wish, run

    return run(
        Wish(options.url, options.webmcp_chromium, not options.no_hops, options.filter, options.headless)
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="webmcp-e2e",
        description="End-to-end testing of the WebMCP chain: page, extension, side panel, relay, MCP client.",
        epilog=cli_examples.ALL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"webmcp-e2e {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name,
            help=text,
            description=text,
            epilog=cli_examples.OF.get(name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(run=run)
        return command

    doctor = add("doctor", _doctor, "find what is missing or wrong, and say the mend")
    doctor.add_argument("--json", action="store_true", help="the findings as JSON, for a machine")
    opened = add("open", _open, "a headed browser with everything connected; Ctrl-C ends it")
    opened.add_argument("url", nargs="?", help="page to open (default: the order desk, a page with tools)")
    opened.add_argument("--no-hops", action="store_true", help="observe nothing, print nothing")
    opened.add_argument(
        *("--filter", "-f"),
        action="append",
        default=[],
        metavar="WORD",
        help="print only hops that hold WORD in lane, kind or text; '!WORD': that do not; may be repeated",
    )
    opened.add_argument("--headless", action="store_true", help="without a window, as on a server")
    conformance = add(
        "conformance",
        _conformance,
        "hold your extension, relay or page against what any of its kind must do",
    )
    _add_conformance_options(conformance)
    shown = add("show", cli_show.run, "a bundle in the browser, or two side by side")
    repro = add("repro", cli_repro.run, "run a reported bug, or a report that somebody sent, and count")
    checked = add("check", cli_check.run, "what a page's author wants to know of its tools, in both runtimes")
    merged = add("merge", cli_merge.run, "the results of several shards as those of one run")
    cli_merge.add_options(merged)
    cli_check.add_options(checked)
    cli_show.add_options(shown)
    cli_repro.add_options(repro)
    for command in (doctor, opened, conformance, repro, checked):
        command.add_argument("--webmcp-chromium", type=Path, metavar="PATH", help="Chromium to use")
    copied = add("extensions", _extensions, "copy the built extensions to a folder, to load them by hand")
    copied.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="a folder that does not exist yet"
    )
    add("scenarios", _scenarios, "run the bundled scenarios; every further argument goes to pytest")
    return parser


def _add_conformance_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("role", choices=["provider", "host", "relay", "page"], help="what you have made")
    command.add_argument(
        "target",
        metavar="TARGET",
        help="folder of the unpacked extension; the relay's command line, quoted; the page's URL or HTML file",
    )
    command.add_argument(
        "--own-server",
        action="store_true",
        help="of a page that brings an MCP server (@mcp-b/global): hold that one, with an extension that puts "
        "none into the page",
    )
    command.add_argument(
        "--bundles", type=Path, metavar="DIR", help="keep a bundle of each row that fails, with all its hops"
    )
    command.add_argument(
        "--rows",
        action="append",
        default=[],
        metavar="WORD",
        help="only rows with this in their name, as a baseline writes it (Forms, 'session.*twice'); "
        "may be repeated",
    )
    for option, text in (
        ("--baseline", "rows known to fail, one name a line; an unexpected pass is an error too"),
        ("--junit", "write JUnit XML"),
        ("--html", "write a page for a reader"),
        ("--json", "write JSON (- for standard output)"),
    ):
        command.add_argument(option, type=Path, metavar="FILE", help=text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point of the command line; returns the exit code."""
    options, rest = _parser().parse_known_args(arguments)
    if rest and options.command != "scenarios":
        _parser().error(f"unknown arguments: {' '.join(rest)}")
    options.pytest_args = rest
    try:
        return int(options.run(options))
    except resources.ResourceMissing as error:
        print(f"webmcp-e2e: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("webmcp-e2e: interrupted; browsers and relays have been ended.", file=sys.stderr, flush=True)
        sys.stdout.flush()
        # Not by way of the interpreter's end, which waits for ever for an event loop that was interrupted as it began.
        os._exit(130)
    except BrokenPipeError:
        # Whoever read the output has gone (`| head`); Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(
            f"webmcp-e2e {options.command}: {where}{error.strerror or error}. Give another path.",
            file=sys.stderr,
        )
        return 3


if __name__ == "__main__":
    sys.exit(main())
