"""Requests against the vendors' own Python types, as strictly as the vendors' servers are.

The packages' types are made for callers: they let unknown members through, and pydantic reads their ``Iterable``
members only when somebody iterates over them. A server refuses unknown members and reads everything.
"""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator

_STRICTER: dict[str, dict[str, str]] = {
    "generator": {"type": "list"},
    "typed-dict": {"extra_behavior": "forbid"},
}
"""By the type of a core schema: what replaces its members."""


class MalformedRequest(AssertionError):
    """A request that the vendor would refuse; the message says what is wrong with it."""


class VendorType:
    """One of the vendors' request types, as a check."""

    def __init__(self, annotation: Any) -> None:
        lenient: TypeAdapter[Any] = TypeAdapter(annotation)
        self._validator = SchemaValidator(_as_a_server(lenient.core_schema))

    def check(self, body: Any) -> None:
        """Raises MalformedRequest, which names each member that is wrong."""
        try:
            self._validator.validate_python(body, strict=True)
        except ValidationError as error:
            raise MalformedRequest(_summary(error)) from None


def _as_a_server(schema: Any) -> Any:
    """The same pydantic core schema with lists in place of lazy iterators, and unknown members refused."""
    if isinstance(schema, dict):
        members = {key: _as_a_server(value) for key, value in schema.items()}
        kind = schema.get("type")  # in a map of fields: the field of that name
        if not isinstance(kind, str):
            return members
        return {**members, **_STRICTER.get(kind, {}), **_own_rule(schema)}
    if isinstance(schema, list | tuple):
        return type(schema)(_as_a_server(item) for item in schema)
    return schema


def _own_rule(typed_dict: dict[str, Any]) -> dict[str, Any]:
    """What a vendor's type says itself about unknown members."""
    said = typed_dict.get("config", {}).get("extra_fields_behavior")
    return {"extra_behavior": said} if said else {}


def _summary(error: ValidationError, most: int = 12) -> str:
    lines = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_url=False)]
    return "; ".join(lines[:most])


def check_json_schema(schema: Any, where: str) -> None:
    """What both vendors refuse in a tool's schema. Raises MalformedRequest."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise MalformedRequest(f"{where}: a tool's schema must have type 'object'")
    combined = {"oneOf", "anyOf", "allOf", "enum", "not"} & schema.keys()
    if combined:
        raise MalformedRequest(f"{where}: {sorted(combined)} is not supported at the top level")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise MalformedRequest(f"{where}: not valid under JSON Schema 2020-12: {error.message}") from None
