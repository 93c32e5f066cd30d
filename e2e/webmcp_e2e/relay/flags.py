"""The command line of ``webmcp-relay``: flags, their checks, and what they mean."""

from __future__ import annotations

import argparse
from importlib.metadata import version
from typing import Final

from webmcp_e2e.contract import TIMINGS
from webmcp_e2e.relay.relay import DEFAULT_PORTS, RelayOptions
from webmcp_e2e.relay.timings import Timings, parse_timing

_DESCRIPTION: Final = """\
Makes the tools of web pages that are open in your browser available to an MCP client.

The browser side is the webmcp-e2e host extension (or a page with the embed of @mcp-b/webmcp-local-relay);
it finds the relay by itself on the ports 9333-9348 of 127.0.0.1. Your MCP client starts this command and
speaks MCP over its stdin and stdout; it ends with the client. Configuration of most clients:

  {"mcpServers": {"webmcp": {"command": "webmcp-relay"}}}

Start it as often as you like: the first holds the port, the others join it, one takes over when it goes."""

_EPILOG: Final = """\
A page may connect by itself only if you allow its origin; extensions always may:
  webmcp-relay --allow-origin https://app.example.com

Timings, for development (milliseconds): {timings}

Exit codes: 0 the client ended, 2 wrong usage, 3 no port could be had."""


def _ports(text: str) -> range:
    first, dash, last = text.partition("-")
    try:
        ports = range(int(first), int(last if dash else first) + 1)
    except ValueError:
        ports = range(0)
    if not ports or ports[0] < 1 or ports[-1] > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port or range A-B within 1-65535")
    return ports


def _one_port(text: str) -> range:
    ports = _ports(text)
    if len(ports) != 1:
        raise argparse.ArgumentTypeError(f"{text!r} is more than one port; use --ports")
    return ports


def _timing(text: str) -> tuple[str, float]:
    try:
        return parse_timing(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of seconds")
    return seconds


def _origins(text: str) -> list[str]:
    return [origin.strip() for origin in text.split(",") if origin.strip()]


def _loopback(text: str) -> str:
    if text not in ("127.0.0.1", "localhost"):
        raise argparse.ArgumentTypeError("the relay listens on 127.0.0.1 only")
    return text


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    made = argparse.ArgumentParser(
        prog="webmcp-relay",
        description=_DESCRIPTION,
        epilog=_EPILOG.format(timings=", ".join(f"{name}={value}" for name, value in TIMINGS.items())),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_where(made)
    _add_who(made)
    _add_how(made)
    made.add_argument("--version", action="version", version=version("webmcp-e2e"))
    return made


def _add_where(made: argparse.ArgumentParser) -> None:
    where = made.add_mutually_exclusive_group()
    where.add_argument(
        "--ports", type=_ports, metavar="A-B", help="range to look for a free port in (default 9333-9348)"
    )
    where.add_argument("--port", "-p", type=_one_port, metavar="N", help="this port or none (exit 3)")
    # The peer's configurations give it; here it can only be what it is.
    made.add_argument("--host", "-H", type=_loopback, default="127.0.0.1", help=argparse.SUPPRESS)


def _add_who(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        *("--allow-origin", "--widget-origin", "--allowed-origin", "--ws-origin"),
        type=_origins,
        action="extend",
        default=[],
        metavar="ORIGIN",
        help="let pages of this origin connect by themselves; repeat it or use commas, * is any text",
    )
    made.add_argument("--relay-id", metavar="ID", help="a name that browsers can be told to look for")
    made.add_argument("--workspace", metavar="NAME", help="a workspace that browsers can be told to look for")
    made.add_argument("--label", metavar="TEXT", help="what browsers show of this relay")


def _add_how(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--invoke-timeout", type=_seconds, metavar="SECONDS", help="deadline of a tool call (default 55)"
    )
    made.add_argument(
        "--timing", type=_timing, action="append", default=[], metavar="NAME=MS", help="see below"
    )
    made.add_argument(
        "--record", metavar="FILE", help="append every message in and out, with the time, as JSON lines"
    )
    made.add_argument("--log-level", choices=["debug", "info", "warning", "error"], default="warning")
    made.add_argument("--log-file", metavar="PATH", help="write the log there instead of stderr")


def relay_options(args: argparse.Namespace) -> RelayOptions:
    """What the parsed command line means."""
    timings = Timings(dict(args.timing))
    if args.invoke_timeout is not None:
        timings = timings.with_invoke_timeout(args.invoke_timeout)
    return RelayOptions(
        ports=args.port or args.ports or DEFAULT_PORTS,
        allow_origins=args.allow_origin,
        relay_id=args.relay_id,
        label=args.label,
        workspace=args.workspace,
        timings=timings,
        record=args.record,
    )
