"""A relay that holds its port: the listener, the handshake, and who has connected."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import Final

from websockets.http11 import Request

from webmcp_e2e.contract import LIMITS
from webmcp_e2e.relay.backend import Handle
from webmcp_e2e.relay.calls import Done
from webmcp_e2e.relay.channel import ServerChannel
from webmcp_e2e.relay.guard import Admission, Guard
from webmcp_e2e.relay.hub import Hub
from webmcp_e2e.relay.joining_link import JoiningLink
from webmcp_e2e.relay.jsonio import JsonObject
from webmcp_e2e.relay.listing import Debounce
from webmcp_e2e.relay.management import OPEN_PAGE
from webmcp_e2e.relay.registry import PublicTool
from webmcp_e2e.relay.source_link import GOING_AWAY, SourceLink
from webmcp_e2e.relay.tape import Tape
from webmcp_e2e.relay.timings import Timings
from webmcp_e2e.relay.wire import RELAY_PROTOCOL, RelayTools, ServerHello

HOST: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Identity:
    """How a relay introduces itself; browsers choose by `relay_id` and `workspace`."""

    instance_id: str
    relay_id: str | None = None
    label: str | None = None
    workspace: str | None = None


class RelayServer:
    """Listens on one port of 127.0.0.1 and connects sockets to the hub.

    Args:
        hub: sources and calls.
        guard: judges handshakes.
        tape: gets every frame, if there is one.
    """

    def __init__(
        self, hub: Hub, guard: Guard, identity: Identity, timings: Timings, tape: Tape | None = None
    ) -> None:
        self._hub = hub
        self._guard = guard
        self._identity = identity
        self._timings = timings
        self._tape = tape
        self._listener: asyncio.Server | None = None
        self._port = 0
        self._channels: set[ServerChannel] = set()
        self._joined: set[JoiningLink] = set()
        push = Debounce(timings.seconds("listChangedDebounce"), self._push_tools)
        hub.on_change(push.poke)

    @property
    def port(self) -> int:
        """The port that is held; 0 before `start`."""
        return self._port

    async def start(self, port: int) -> None:
        """Bind `port`; 0 takes any free one.

        Raises:
            OSError: the port is taken.
        """
        loop = asyncio.get_running_loop()
        listener = await loop.create_server(self._new_channel, HOST, port, family=socket.AF_INET)
        self._listener = listener
        self._port = listener.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close the listener and every socket with 1001."""
        if self._listener is not None:
            self._listener.close()
        self._hub.stop()
        for channel in list(self._channels):
            channel.close(GOING_AWAY, "the relay ends")
        # One turn of the loop lets the close frames out.
        await asyncio.sleep(0)

    def invoke(self, name: str, args: JsonObject, done: Done) -> Handle | None:
        """A joined relay calls a tool of ours, or asks for the reload that only we can order."""
        if name == OPEN_PAGE:
            return self._hub.refresh(str(args.get("url", "")), done)
        return self._hub.invoke(name, args, done)

    def tools_frame(self, changed: bool) -> bytes:
        """All tools and sources for a relay that joined."""
        tools = self._hub.tools()
        return RelayTools(
            type="relay/tools-changed" if changed else "relay/tools",
            tools=[_public_definition(tool) for tool in tools],
            sources=self._hub.sources(),
            toolSourceMap={tool.name: [tool.source.sourceId] for tool in tools if tool.source is not None},
        ).encoded()

    def _push_tools(self) -> None:
        for link in self._joined:
            link.push_tools()

    def _new_channel(self) -> ServerChannel:
        channel = ServerChannel(self._admit, self._opened)
        if self._tape is not None:
            channel.record(self._tape)
        return channel

    def _admit(self, request: Request) -> Admission:
        return self._guard.admit(request.headers, self._port)

    def _opened(self, channel: ServerChannel, admission: Admission) -> None:
        channel.send(self._server_hello().encoded())
        self._channels.add(channel)
        channel.on_closed(lambda: self._channels.discard(channel))
        if admission.subprotocol == RELAY_PROTOCOL:
            link = JoiningLink(channel, self, self._joined.discard)
            self._joined.add(link)
            channel.user = link
        else:
            assert admission.origin is not None
            channel.user = SourceLink(channel, admission.origin, self._hub, self._guard, self._timings)

    def _server_hello(self) -> ServerHello:
        me = self._identity
        return ServerHello(
            host=HOST,
            port=self._port,
            instanceId=me.instance_id,
            relayId=me.relay_id or me.instance_id,
            label=me.label,
            workspace=me.workspace,
            maxPayload=LIMITS["frame"],
        )


def _public_definition(tool: PublicTool) -> JsonObject:
    return {**tool.definition, "name": tool.name}
