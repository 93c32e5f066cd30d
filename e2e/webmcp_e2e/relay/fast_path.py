"""``tools/call`` of pages' tools ahead of the MCP SDK: JSON in, one frame out, no models, no tasks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY, SERVER_INFO_META_KEY
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from webmcp_e2e.relay.backend import Backend, Handle
from webmcp_e2e.relay.jsonio import JsonObject, encode
from webmcp_e2e.relay.management import CALL_TOOL, NAMES

Era: TypeAlias = Literal["handshake", "envelope"]
"""How the client speaks: after ``initialize``, or (from 2026-07-28) with an envelope in each request."""

RequestId: TypeAlias = int | str
_INVALID_REQUEST: Final = -32600


def envelope_of(params: Any) -> JsonObject | None:
    """The 2026-07-28 envelope of a request's params, if it has a whole one that we speak."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or meta.get(PROTOCOL_VERSION_META_KEY) not in MODERN_PROTOCOL_VERSIONS:
        return None
    return meta if isinstance(meta.get(CLIENT_CAPABILITIES_META_KEY), dict) else None


def _page_tool(params: JsonObject) -> tuple[str, JsonObject] | None:
    """``(name, arguments)`` of a page's tool, called by its own name or through ``webmcp_call_tool``."""
    name, args = params.get("name"), params.get("arguments")
    if name == CALL_TOOL and isinstance(args, dict):
        name, args = args.get("name"), args.get("arguments")
    if not isinstance(name, str) or name in NAMES or not (args is None or isinstance(args, dict)):
        return None
    return name, args or {}


class FastPath:
    """Serves what it can of one client; `take` says what it left for the SDK.

    Args:
        server_info: stamped into results of the envelope era, as the SDK does.
        write: sends one line to the client.
    """

    def __init__(self, backend: Backend, server_info: JsonObject, write: Callable[[bytes], None]) -> None:
        self._backend = backend
        self._server_info = server_info
        self._write = write
        self._calls: dict[RequestId, Handle | None] = {}
        self.era: Era | None = None
        """Set once the SDK has accepted the client; before that everything is the SDK's."""

    def take(self, message: Any) -> bool:
        """Serve `message` (decoded JSON-RPC) if it is a page's tool call or the cancellation of one."""
        if self.era is None or not isinstance(message, dict):
            return False
        method = message.get("method")
        if method == "tools/call":
            return self._call(message.get("id"), message.get("params"))
        if method == "notifications/cancelled":
            return self._cancel(message.get("params"))
        return False

    def close(self) -> None:
        """The client is gone: nobody waits for its calls."""
        for cancel in list(self._calls.values()):
            if cancel is not None:
                cancel()
        self._calls.clear()

    def _call(self, request_id: Any, params: Any) -> bool:
        """Malformed requests are left to the SDK, which knows how to refuse them."""
        if type(request_id) not in (int, str) or not isinstance(params, dict):
            return False
        if (self.era == "envelope") != (envelope_of(params) is not None):
            return False
        asked = _page_tool(params)
        if asked is None:
            return False
        self._invoke(request_id, *asked)
        return True

    def _invoke(self, request_id: RequestId, name: str, args: JsonObject) -> None:
        if request_id in self._calls:
            self._refuse(request_id, "this id is already in flight")
            return
        self._calls[request_id] = None
        handle = self._backend.invoke(name, args, partial(self._answer, request_id))
        if request_id in self._calls:
            self._calls[request_id] = handle

    def _cancel(self, params: Any) -> bool:
        request_id = params.get("requestId") if isinstance(params, dict) else None
        if type(request_id) not in (int, str) or request_id not in self._calls:
            return False
        cancel = self._calls.pop(request_id)
        if cancel is not None:
            cancel()
        return True

    def _answer(self, request_id: RequestId, result: JsonObject) -> None:
        self._calls.pop(request_id, None)
        if self.era == "envelope":
            meta = {SERVER_INFO_META_KEY: self._server_info, **(result.get("_meta") or {})}
            result = {"resultType": "complete", **result, "_meta": meta}
        self._write(encode({"jsonrpc": "2.0", "id": request_id, "result": result}))

    def _refuse(self, request_id: RequestId, message: str) -> None:
        error = {"code": _INVALID_REQUEST, "message": message}
        self._write(encode({"jsonrpc": "2.0", "id": request_id, "error": error}))
