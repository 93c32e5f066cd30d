"""Shapes of L0 requests that are not right."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from webmcp_e2e.lumo.models import ProbeRequest

ODD: list[Any] = [None, True, False, 0, 1, -1.5, "", "x", "1", [], ["x"], [[]], {}, {"a": 1}, "__proto__"]


def malformed(right: dict[str, Any]) -> list[object]:
    """A hundred shapes: no message of ours, or ours with a member missing or mistyped."""
    shapes: list[object] = list(ODD)
    shapes += [{key: right[key] for key in right if key != gone} for gone in right]
    shapes += [right | {member: value} for member in ("version", "id", "client") for value in ODD]
    shapes += [right | {"client": client} for client in _odd_clients(right["client"])]
    shapes += [right | {"channel": value} for value in ODD]
    return [shape for shape in shapes if not _is_right(shape)][:100]


def _odd_clients(client: dict[str, Any]) -> list[dict[str, Any]]:
    mistyped = [client | {member: value} for member in client for value in ODD if not isinstance(value, str)]
    return mistyped + [{key: client[key] for key in client if key != gone} for gone in client]


def _is_right(shape: object) -> bool:
    """An odd value may be a fitting one."""
    try:
        ProbeRequest.model_validate(shape)
    except ValidationError:
        return False
    return True
