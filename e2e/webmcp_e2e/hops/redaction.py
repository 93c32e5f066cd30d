"""Secrets: which texts they are, in which disguises, and how they leave a record, a log or an archive."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import quote, quote_plus

MARK: Final = "[secret]"
"""What stands in a secret's place."""

SHORTEST: Final = 4
"""A shorter text would be found everywhere: it is no secret that could be kept."""

_KEY: Final = re.compile(
    r"(?i)^(authorization|proxy-authorization|x-api-key|api[-_]?key|cookie|set-cookie|password|secret|token|access[-_]?token)$"
)
_HEADER: Final = re.compile(
    r"(?i)(\b(?:proxy-)?authorization|\bx-api-key|\b(?:set-)?cookie)(\"?\s*[:=]\s*\"?)"
    r"((?:(?:bearer|basic|token)\s+)?[^\s\"',;}\]]+)"
)
"""A header's name, what separates it, and its value, in free text: logs, command lines, JSON."""

_HEADER_NAME: Final = re.compile(r"(?i)authorization|x-api-key|cookie")
_HAR: Final = re.compile(
    r'(?i)("name":\s*"(?:(?:proxy-)?authorization|x-api-key|(?:set-)?cookie)",\s*"value":\s*")(?:[^"\\]|\\.)*'
)
"""A header as a trace keeps it: name and value apart."""


def disguises(secret: str) -> Iterator[str]:
    """The secret as it may stand in a text: raw, in JSON, URL-encoded, and in base64 at each of the three offsets."""
    raw = secret.encode()
    yield secret
    for ascii_only in (True, False):
        yield json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
    yield quote(secret, safe="")
    yield quote_plus(secret)
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(raw).decode().rstrip("=")
        yield from (_inside(encode, raw, offset) for offset in (0, 1, 2))


def _inside(encode: Any, raw: bytes, offset: int) -> str:
    """The characters of the base64 text that depend on ``raw`` alone, when it starts at this offset of three bytes."""
    text: str = encode(b"\0" * offset + raw).decode()
    start = (offset * 8 + 5) // 6
    end = (offset + len(raw)) * 8 // 6
    return text[start:end]


class Redactor:
    """Knows the secrets of a run and takes them out of texts and JSON values."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._disguises: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.add(*secrets)

    def add(self, *secrets: str) -> None:
        """Secrets more; texts of fewer than four characters are left out."""
        fresh = [secret for secret in secrets if len(secret) >= SHORTEST]
        if fresh:
            found = (text for secret in fresh for text in disguises(secret))
            self._disguises |= {text for text in found if len(text) >= SHORTEST}
            longest_first = sorted(self._disguises, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    @property
    def texts(self) -> list[str]:
        """Every secret in every disguise, the longest first."""
        return sorted(self._disguises, key=len, reverse=True)

    def text(self, text: str) -> str:
        """A text without secrets and without the values of headers that carry them."""
        without = self._pattern.sub(MARK, text) if self._pattern else text
        if _HEADER_NAME.search(without) is None:
            return without
        return _HAR.sub(rf"\1{MARK}", _HEADER.sub(rf"\1\2{MARK}", without))

    def value(self, value: Any) -> Any:
        """A JSON value likewise; members whose key says that they are secret lose their value."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {key: self._member(str(key), item) for key, item in value.items()}
        return value

    def found_in(self, text: str) -> bool:
        """Whether a secret stands in this text, in any disguise."""
        return self._pattern is not None and self._pattern.search(text) is not None

    def _member(self, key: str, item: Any) -> Any:
        if item is not None and _KEY.match(key):
            return MARK
        return self.value(item)
