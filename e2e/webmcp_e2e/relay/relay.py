"""A relay from outside: it holds a port, or has joined the relay that does and takes over when it goes."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from webmcp_e2e.relay.backend import Backend, Handle
from webmcp_e2e.relay.calls import Done
from webmcp_e2e.relay.guard import Guard
from webmcp_e2e.relay.hub import Hub
from webmcp_e2e.relay.jsonio import JsonObject
from webmcp_e2e.relay.management import NAMES
from webmcp_e2e.relay.peer import JoinedRelay, NotARelay, join
from webmcp_e2e.relay.registry import PublicTool
from webmcp_e2e.relay.server import HOST, Identity, RelayServer
from webmcp_e2e.relay.tape import Tape
from webmcp_e2e.relay.timings import Timings
from webmcp_e2e.relay.wire import SourceInfo

DEFAULT_PORTS: Final = range(9333, 9349)
_RETRY_FACTOR: Final = 1.5
_log = logging.getLogger("webmcp_relay.relay")


class NoPort(Exception):
    """No port of the range could be bound or joined; the message says what to do."""


@dataclass(frozen=True, slots=True)
class RelayOptions:
    """What ``webmcp-relay`` is started with. `allow_origins` are beside extensions."""

    ports: Sequence[int] = DEFAULT_PORTS
    allow_origins: Sequence[str] = ()
    relay_id: str | None = None
    label: str | None = None
    workspace: str | None = None
    timings: Timings = field(default_factory=Timings)
    record: str | None = None
    """A file for a recording of everything that comes and goes (``tape``)."""


class Relay:
    """Sources, tools and calls, whichever process holds the port."""

    def __init__(self, options: RelayOptions) -> None:
        self._options = options
        instance_id = uuid.uuid4().hex
        self._identity = Identity(instance_id, options.relay_id, options.label, options.workspace)
        self._hub = Hub(options.timings, NAMES, instance_id)
        self.tape = Tape(options.record) if options.record else None
        guard = Guard(options.allow_origins)
        self._server = RelayServer(self._hub, guard, self._identity, options.timings, self.tape)
        self._joined: JoinedRelay | None = None
        self._takeover: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[], None]] = []
        self._hub.on_change(self._changed)
        self.port = 0
        """The port that is held, or that of the relay that was joined."""

    @property
    def mode(self) -> Literal["server", "joined"]:
        """Whether this process holds the port itself."""
        return "server" if self._joined is None else "joined"

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change of tools or sources."""
        self._listeners.append(listener)

    async def start(self) -> None:
        """Bind or join a port.

        Raises:
            NoPort: neither was possible on any port of the range.
        """
        for port in self._options.ports:
            if await self._bind(port) or await self._join(port):
                return
        ports = self._options.ports
        where = f"Port {ports[0]} is" if len(ports) == 1 else f"The ports {ports[0]}-{ports[-1]} are all"
        raise NoPort(
            f"{where} taken by something that is no relay. End it, or choose others with --ports A-B."
        )

    async def stop(self) -> None:
        """Free the port, or leave the other relay."""
        if self._takeover is not None:
            self._takeover.cancel()
        if self._joined is not None:
            self._joined.close()
        await self._server.stop()

    def tools(self) -> list[PublicTool]:
        """All listed tools."""
        return self._backend.tools()

    def sources(self) -> list[SourceInfo]:
        """All sources."""
        return self._backend.sources()

    def invoke(self, name: str, args: JsonObject, done: Done) -> Handle | None:
        """Call a tool by its public name."""
        return self._backend.invoke(name, args, done)

    def refresh(self, url: str, done: Done) -> Handle | None:
        """Reload the tab that shows `url`."""
        return self._backend.refresh(url, done)

    @property
    def _backend(self) -> Backend:
        return self._hub if self._joined is None else self._joined

    async def _bind(self, port: int) -> bool:
        try:
            await self._server.start(port)
        except OSError as error:
            _log.debug("port %d: %s", port, error)
            return False
        self.port = self._server.port
        _log.info("listening on ws://%s:%d", HOST, self.port)
        return True

    async def _join(self, port: int) -> bool:
        try:
            joined = await join(HOST, port, self._options.timings, NAMES, self._changed)
        except NotARelay as error:
            _log.info("%s; trying the next port", error)
            return False
        joined.lost = self._upstream_lost
        self._joined, self.port = joined, port
        _log.info("joined the relay at ws://%s:%d", HOST, port)
        self._changed()
        return True

    def _upstream_lost(self) -> None:
        _log.warning("the relay at port %d went away; taking over", self.port)
        self._joined = None
        self._changed()
        self._takeover = asyncio.ensure_future(self._take_over())

    async def _take_over(self) -> None:
        """Start again as at first, until it succeeds; of several relays that were left, one binds."""
        timings = self._options.timings
        pause = timings.seconds("reconnectFirst")
        while True:
            try:
                await self.start()
                return
            except NoPort as error:
                _log.warning("%s Trying again in %.1f s.", error, pause)
            await asyncio.sleep(pause)
            pause = min(pause * _RETRY_FACTOR, timings.seconds("reconnectMax"))

    def _changed(self) -> None:
        for listener in self._listeners:
            listener()
