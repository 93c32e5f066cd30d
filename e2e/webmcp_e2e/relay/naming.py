"""Public tool names: f(original) of spec chain.md §4, and who holds which name."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from hashlib import sha256
from itertools import count

from webmcp_e2e.contract import LIMITS

_LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]")
_TAB_SUFFIX_MAX = 26


def _hash6(text: str) -> str:
    # JavaScript's encoder writes U+FFFD for a lone surrogate; so do we, or the two hashes differ.
    clean = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return sha256(clean.encode()).hexdigest()[:6]


def public_name(original: str, limit: int = LIMITS["publicName"]) -> str:
    """`original` if it is legal and fits, else sanitized, cut, ``_`` and 6 hex digits of its SHA-256.

    Args:
        original: the page's own name, any text.
        limit: room in characters.
    """
    if _LEGAL.fullmatch(original) and len(original) <= limit:
        return original
    suffix = f"_{_hash6(original)}"
    return _ILLEGAL.sub("_", original)[: limit - len(suffix)] + suffix


def _candidates(original: str, tab_id: str) -> Iterator[str]:
    """Names to try, in order: f, f with the tab, then f with a hash of both."""
    yield public_name(original)
    tab = f"_t{_ILLEGAL.sub('_', tab_id)}"[:_TAB_SUFFIX_MAX]
    yield public_name(original, LIMITS["publicName"] - len(tab)) + tab
    for attempt in count():
        salted = f"_{_hash6(f'{tab_id}/{original}/{attempt}')}"
        room = LIMITS["publicName"] - len(tab) - len(salted)
        yield public_name(original, room) + tab + salted


class NameTable:
    """Which owner's tool a public name means. A name once given stays its owner's until the owner ends.

    Args:
        reserved: names that no tool of a page may take.
    """

    def __init__(self, reserved: frozenset[str] = frozenset()) -> None:
        self._reserved = reserved
        self._taken: dict[str, tuple[Hashable, str]] = {}
        self._given: dict[Hashable, dict[str, str]] = {}

    def claim(self, owner: Hashable, original: str, tab_id: str) -> str:
        """The public name of `owner`'s tool `original`; the same answer every time until `release`."""
        given = self._given.setdefault(owner, {})
        if original not in given:
            given[original] = self._free_name(original, tab_id)
            self._taken[given[original]] = (owner, original)
        return given[original]

    def resolve(self, public: str) -> tuple[Hashable, str] | None:
        """``(owner, original)`` behind a public name, or `None`."""
        return self._taken.get(public)

    def release(self, owner: Hashable) -> None:
        """Forget every name of `owner`, whose source has ended."""
        for public in self._given.pop(owner, {}).values():
            del self._taken[public]

    def _free_name(self, original: str, tab_id: str) -> str:
        names = _candidates(original, tab_id)
        return next(name for name in names if name not in self._taken and name not in self._reserved)
