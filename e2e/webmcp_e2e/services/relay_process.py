"""A real relay process with a real MCP client, as tests hold it."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters
from mcp_types import CallToolResult, TextContent

from webmcp_e2e.services.mcp_client import McpClient, child_environment
from webmcp_e2e.services.relay_nursery import PID_FILE_VARIABLE, RelayNursery


def default_command() -> list[str]:
    """The command line of our own relay, run by this interpreter."""
    return [sys.executable, "-m", "webmcp_e2e.relay.cli"]


def _timing_flags(timings: Mapping[str, int]) -> list[str]:
    return [part for key, value in timings.items() for part in ("--timing", f"{key}={value}")]


def decoded(result: CallToolResult) -> Any:
    """A result's structured content, or the JSON value of its first text."""
    if result.structured_content is not None:
        return result.structured_content
    first = result.content[0]
    if not isinstance(first, TextContent):
        raise TypeError(f"the first content block is {first.type}, not text")
    return json.loads(first.text)


class Relay(McpClient):
    """A relay on a port of its own, and the MCP client that started it over stdio.

    Args:
        ports: the range that the test owns; the relay gets the first one by ``--port``.
        folder: for its log and pid file.
        command: program and leading arguments; default: ours.
        nursery: makes ours from a process that has imported everything, instead of ``command``.
        timings: overrides in milliseconds, passed as ``--timing k=v``; only for relays that know the flag.
        flags: more arguments.
    """

    def __init__(
        self,
        ports: range,
        folder: Path,
        *,
        command: Sequence[str] | None = None,
        nursery: RelayNursery | None = None,
        timings: Mapping[str, int] | None = None,
        flags: Sequence[str] = (),
        name: str = "relay",
    ) -> None:
        self.ports = ports
        self.port = ports[0]
        self._nursery = None if command else nursery
        self._base = [*(command or default_command())]
        self._flags = [*_timing_flags(timings or {}), *flags]
        super().__init__(self._command_line(), folder, name=name)

    def _command_line(self) -> list[str]:
        return [*self._base, "--port", str(self.port), *self._flags]

    def _server(self) -> StdioServerParameters:
        if self._nursery is None:
            return super()._server()
        program, *args = [*self._nursery.command, *self.command[len(self._base) :]]
        env = child_environment() | {PID_FILE_VARIABLE: str(self._pid_file)}
        return StdioServerParameters(command=program, args=args, env=env)

    def sources(self) -> list[dict[str, Any]]:
        """The browser sources the relay knows, zero-tool sources too."""
        found: list[dict[str, Any]] = decoded(self.call("webmcp_list_sources"))["sources"]
        return found

    def page_tools(self) -> set[str]:
        """Public names of all tools but the relay's own management tools."""
        return {name for name in self.tools() if not name.startswith("webmcp_")}

    def restart(self, *, port: int | None = None, how: signal.Signals = signal.SIGKILL) -> None:
        """End the process as a crash does and start it again, on another port if one is given."""
        self.kill(how)
        self.port = port or self.port
        self.command = self._command_line()
        self.start()
