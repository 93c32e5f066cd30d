"""JSON as the relay reads and writes it: strict in, compact UTF-8 out."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A decoded JSON object."""


class BadJson(ValueError):
    """The text is not one JSON object; the message says what is wrong with it."""


def _no_constant(name: str) -> NoReturn:
    raise BadJson(f"{name} is no JSON")


_decoder = json.JSONDecoder(parse_constant=_no_constant)
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def decode_object(text: str) -> JsonObject:
    """The JSON object in `text`.

    Raises:
        BadJson: not JSON, not an object, ``NaN`` or ``Infinity``, or nested deeper than Python's stack.
    """
    try:
        value = _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise BadJson(str(error)) from error
    if not isinstance(value, dict):
        raise BadJson("not a JSON object")
    return value


def encode(value: Any) -> bytes:
    """Compact JSON in UTF-8. A lone surrogate, which no UTF-8 can carry, becomes U+FFFD."""
    text = _encoder.encode(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
