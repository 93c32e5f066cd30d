"""``webmcp-relay``: the command that an MCP client starts.

What takes time to import is imported by the functions that need it, so that ``main`` looks at once who started it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from webmcp_e2e.relay.relay import RelayOptions

EXIT_OK: Final = 0
EXIT_ENVIRONMENT: Final = 3
_PARENT_CHECK_S: Final = 1.0
_log = logging.getLogger("webmcp_relay.cli")


async def run(options: RelayOptions, parent: int) -> int:
    """Serve one MCP client on stdin and stdout; the exit code.

    ``parent`` is the process id of the client that started the relay.
    """
    from importlib.metadata import version

    from webmcp_e2e.relay.mcp_server import McpServer
    from webmcp_e2e.relay.relay import NoPort, Relay

    relay = Relay(options)
    server = McpServer(relay, version("webmcp-e2e"), options.timings)
    loop = asyncio.get_running_loop()
    for end in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(end, server.end)
    try:
        await relay.start()
    except NoPort as error:
        print(f"webmcp-relay: {error}", file=sys.stderr)
        return EXIT_ENVIRONMENT
    watch = asyncio.ensure_future(_end_with_parent(parent, server.end))
    try:
        await server.serve()
    finally:
        watch.cancel()
        await relay.stop()
    return EXIT_OK


async def _end_with_parent(parent: int, end: Callable[[], None]) -> None:
    """A client that dies while another of its children holds our stdin never ends it: watch the client."""
    if not _is_pipe(sys.stdin.fileno()):
        return
    while os.getppid() == parent:
        await asyncio.sleep(_PARENT_CHECK_S)
    _log.info("the process that started the relay is gone")
    end()


def _is_pipe(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _log_to(level: str, path: str | None) -> None:
    handler = logging.FileHandler(path) if path else logging.StreamHandler(sys.stderr)
    form = "%(asctime)s %(name)s %(levelname)s %(message)s"
    logging.basicConfig(level=level.upper(), format=form, handlers=[handler])


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of ``webmcp-relay``; returns the exit code."""
    # First of all: once the client is dead, init stands in its place.
    parent = os.getppid()
    from webmcp_e2e.relay.flags import parser, relay_options

    args = parser().parse_args(argv)
    _log_to(args.log_level, args.log_file)
    try:
        import uvloop
    except ImportError:  # no Windows wheel
        return asyncio.run(run(relay_options(args), parent))
    return uvloop.run(run(relay_options(args), parent))


if __name__ == "__main__":
    sys.exit(main())
