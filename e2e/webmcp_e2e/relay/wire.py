"""Frames of ``webmcp.v1`` and of relay to relay (spec chain.md §4), as pydantic models.

Shapes are those of the published ``@mcp-b/webmcp-local-relay`` 2.2.0; members and frames that it does not
know are ignored there. Optional members are left out of a frame, never null. The two frames of the hot path,
``invoke`` and ``result``, are built and read by hand in ``calls`` and ``source_link``: a model for each costs
more than the rest of a call.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from webmcp_e2e.relay.jsonio import JsonObject, encode

BROWSER_PROTOCOL: Final = "webmcp.v1"
DISCOVERY_PROTOCOL: Final = "webmcp-discovery.v1"
RELAY_PROTOCOL: Final = "webmcp-relay.v1"
SERVICE: Final = "webmcp-local-relay"
"""What a relay calls itself in ``server-hello``; clients look for exactly this."""

NonEmpty: TypeAlias = Annotated[str, Field(min_length=1)]


class _Frame(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    def encoded(self) -> bytes:
        """The frame as it goes over the wire."""
        return encode(self.model_dump(exclude_none=True))


class ServerHello(_Frame):
    """First frame to everyone who connects; `maxPayload` is in bytes."""

    type: Literal["server-hello"] = "server-hello"
    service: Literal["webmcp-local-relay"] = SERVICE
    version: Literal[1] = 1
    host: NonEmpty
    instanceId: NonEmpty
    relayId: NonEmpty | None = None
    port: int
    label: str | None = None
    workspace: str | None = None
    maxPayload: Annotated[int, Field(gt=0)] | None = None


class Ping(_Frame):
    """Relay to browser: answer with a pong."""

    type: Literal["ping"] = "ping"


class Reload(_Frame):
    """Relay to browser: reload the source's tab."""

    type: Literal["reload"] = "reload"


class HelloAccepted(_Frame):
    """Relay to browser: the hello was taken."""

    type: Literal["hello/accepted"] = "hello/accepted"


class HelloRejected(_Frame):
    """Relay to browser: the hello was refused; the socket closes with 1008 after it."""

    type: Literal["hello/rejected"] = "hello/rejected"
    reason: str
    message: str


class Cancel(_Frame):
    """Relay to browser: nobody waits for this call any more."""

    type: Literal["cancel"] = "cancel"
    callId: str


class Hello(_Frame):
    """Browser to relay: which tab this socket speaks for. `origin` is the page's, as the browser says it."""

    type: Literal["hello"] = "hello"
    tabId: NonEmpty
    origin: str | None = None
    url: str | None = None
    title: str | None = None
    iconUrl: str | None = None


class ToolsList(_Frame):
    """Browser to relay: all tools of the source."""

    type: Literal["tools/list"] = "tools/list"
    tools: list[JsonObject]


class ToolsChanged(_Frame):
    """Browser to relay: all tools of the source, again."""

    type: Literal["tools/changed"] = "tools/changed"
    tools: list[JsonObject]


class SourceDisconnected(_Frame):
    """Browser to relay: the source has ended."""

    type: Literal["source/disconnected"] = "source/disconnected"
    reason: str | None = None


class SourceInfo(_Frame):
    """A source as ``relay/tools`` and ``webmcp_list_sources`` tell it; times are ms since the epoch."""

    sourceId: str
    tabId: str
    origin: str | None = None
    url: str | None = None
    title: str | None = None
    iconUrl: str | None = None
    connectedAt: float
    lastSeenAt: float
    toolCount: int
    state: Literal["connected", "reconnecting"] | None = None


class RelayHello(_Frame):
    """Relay to relay: I join. `maxPayload` is what the joining relay takes, in bytes."""

    type: Literal["relay/hello"] = "relay/hello"
    maxPayload: Annotated[int, Field(gt=0)] | None = None


class RelayListTools(_Frame):
    """Relay to relay: tell me your tools."""

    type: Literal["relay/list-tools"] = "relay/list-tools"


class RelayInvoke(_Frame):
    """Relay to relay: call the tool with this public name."""

    type: Literal["relay/invoke"] = "relay/invoke"
    callId: NonEmpty
    toolName: NonEmpty
    args: JsonObject | None = None


class RelayCancel(_Frame):
    """Relay to relay: nobody waits for this call any more."""

    type: Literal["relay/cancel"] = "relay/cancel"
    callId: NonEmpty


class RelayTools(_Frame):
    """Relay to relay: all tools, their sources, and which tool (by public name) is of which source."""

    type: Literal["relay/tools", "relay/tools-changed"] = "relay/tools"
    tools: list[JsonObject]
    sources: list[SourceInfo] = []
    toolSourceMap: dict[str, list[str]] = {}


class RelayResult(_Frame):
    """Relay to relay: the result of ``relay/invoke``."""

    type: Literal["relay/result"] = "relay/result"
    callId: NonEmpty
    result: Any


BrowserFrame: TypeAlias = Hello | ToolsList | ToolsChanged | SourceDisconnected
JoiningFrame: TypeAlias = RelayHello | RelayListTools | RelayInvoke | RelayCancel
JoinedFrame: TypeAlias = ServerHello | RelayTools | RelayResult

BROWSER_FRAMES: Final[TypeAdapter[BrowserFrame]] = TypeAdapter(
    Annotated[BrowserFrame, Field(discriminator="type")]
)
"""What a browser may send, ``result`` and ``pong`` apart."""
JOINING_FRAMES: Final[TypeAdapter[JoiningFrame]] = TypeAdapter(
    Annotated[JoiningFrame, Field(discriminator="type")]
)
"""What a relay that joined may send to its server."""
JOINED_FRAMES: Final[TypeAdapter[JoinedFrame]] = TypeAdapter(
    Annotated[JoinedFrame, Field(discriminator="type")]
)
"""What a relay sends to one that joined it."""


class UnknownFrame(ValueError):
    """The object is no frame that its sender may send."""


def parse(frames: TypeAdapter[Any], data: JsonObject) -> Any:
    """`data` as one of `frames`.

    Raises:
        UnknownFrame: unknown type or wrong members.
    """
    try:
        return frames.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnknownFrame(f"{where}: {first['msg']}") from error
