"""Pure rules of a provider's writes: the sliding window, and the digest in an audit entry."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from webmcp_e2e.lumo.rules import LIMITS


@dataclass(frozen=True)
class WriteAdmission:
    """``window`` is what to store afterwards; ``wait_seconds`` is None for a write that passed."""

    window: list[int]
    wait_seconds: int | None

    @property
    def admitted(self) -> bool:
        """Whether the write passes."""
        return self.wait_seconds is None


def admit_write(window: Sequence[int], now: int) -> WriteAdmission:
    """Whether a sender's write at ``now`` passes.

    Args:
        window: times of the counted writes of this sender, epoch milliseconds, oldest first.
        now: epoch milliseconds.
    """
    span, most = LIMITS["writeWindowMs"].value, LIMITS["writesPerWindow"].value
    live = [at for at in (min(at, now) for at in window) if at > now - span]
    if len(live) < most:
        return WriteAdmission([*live, now], None)
    return WriteAdmission(live, max(1, math.ceil((live[-most] + span - now) / 1_000)))


def arguments_digest(salt: str, args: object) -> str:
    """Hex SHA-256 of the install's salt followed by the arguments' canonical JSON."""
    return hashlib.sha256((salt + canonical_json(args)).encode()).hexdigest()


def canonical_json(value: Any) -> str:
    """JSON as RFC 8785: no blanks, members sorted by UTF-16 code units, numbers as JavaScript has them."""
    match value:
        case bool() | None:
            return json.dumps(value)
        case int() | float():
            return _number(float(value))
        case str():
            return _text(value)
        case Mapping():
            keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
            return "{" + ",".join(f"{_text(key)}:{canonical_json(value[key])}" for key in keys) + "}"
        case Sequence():
            return "[" + ",".join(map(canonical_json, value)) + "]"
        case _:
            raise TypeError(f"{type(value).__name__} has no JSON. Give JSON values only.")


def _text(value: str) -> str:
    escaped = json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", escaped)


def _number(value: float) -> str:
    """As ECMAScript's Number::toString, which switches to exponents at 1e21 and below 1e-6."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "null"
    sign, digit_tuple, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    digits = "".join(map(str, digit_tuple))
    return ("-" if sign else "") + _place_point(digits, len(digits) + exponent)


def _place_point(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"
