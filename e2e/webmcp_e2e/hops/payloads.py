"""Calls of tools inside payloads, whatever the hop's own wording: MCP, ``webmcp.v1``, a page-tools port."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from .records import Record


@dataclass(frozen=True)
class Part:
    """What a payload says of a call: that it begins (with the tool's name and arguments) or how it ended."""

    phase: Literal["request", "response"]
    key: str
    """What request and response have in common on their channel."""
    name: str = ""
    args: str = ""
    """The arguments as canonical JSON."""
    failed: bool = False
    said: str = ""
    """Of a response: its result or error as canonical JSON."""


def part_of(record: Record) -> Part | None:
    """The call in a record's payload, or none."""
    data = record.get("data")
    if isinstance(data, dict) and isinstance(data.get("payload"), dict):
        data = data["payload"]  # An envelope around a message.
    if not isinstance(data, dict):
        return None
    return _rpc(data) or _invoke(data) or _port(data)


def canonical(args: Any) -> str:
    """Equal arguments give equal texts."""
    return json.dumps(args or {}, sort_keys=True, ensure_ascii=False)


def _rpc(data: Record) -> Part | None:
    """MCP's JSON-RPC."""
    if "jsonrpc" not in data or "id" not in data:
        return None
    params = data.get("params")
    if data.get("method") == "tools/call" and isinstance(params, dict):
        return Part(
            "request", f"rpc {data['id']}", str(params.get("name", "")), canonical(params.get("arguments"))
        )
    if "result" in data or "error" in data:
        failed = "error" in data or _is_error(data.get("result"))
        return Part("response", f"rpc {data['id']}", failed=failed, said=_said(data))
    return None


def _invoke(data: Record) -> Part | None:
    """``webmcp.v1``."""
    if not isinstance(data.get("callId"), str):
        return None
    if data.get("type") in ("invoke", "relay/invoke"):
        return Part(
            "request", f"call {data['callId']}", str(data.get("toolName", "")), canonical(data.get("args"))
        )
    if data.get("type") in ("result", "relay/result"):
        failed = _is_error(data.get("result"))
        return Part("response", f"call {data['callId']}", failed=failed, said=_said(data))
    return None


def _port(data: Record) -> Part | None:
    """Any port whose requests carry an ``id`` and a ``type``, and whose answers an ``id`` and ``ok``."""
    if not isinstance(data.get("id"), int | str):
        return None
    if data.get("type") == "callTool":
        return Part("request", f"port {data['id']}", str(data.get("name", "")), canonical(data.get("args")))
    if isinstance(data.get("ok"), bool):
        failed = not data["ok"] or _is_error(data.get("result"))
        return Part("response", f"port {data['id']}", failed=failed, said=_said(data))
    return None


def _said(data: Record) -> str:
    """What a caller is told; ``_meta`` has places and times, which differ from run to run."""
    told = data.get("error", data.get("result"))
    if isinstance(told, dict):
        told = {key: value for key, value in told.items() if key != "_meta"}
    return canonical(told)


def _is_error(result: Any) -> bool:
    return isinstance(result, dict) and result.get("isError") is True
