"""How much of a payload a recording keeps."""

from __future__ import annotations

import re
from typing import Any, Final

TEXT: Final = 4_000
"""Characters of one text."""
ITEMS: Final = 60
"""Members of one object or array."""
DEPTH: Final = 12
_SCRIPT_KEYS: Final = frozenset({"source", "source_code", "sourcecode", "code", "script"})
_PLAIN_WORD: Final = re.compile(r"[\w.:@/ -]{0,40}")


def bounded(value: Any, depth: int = DEPTH) -> Any:
    """A JSON value cut to what a recording keeps, as the browser's tap cuts it."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | dict) and depth <= 0:
        return "[…]"
    if isinstance(value, list):
        return [bounded(item, depth - 1) for item in value[:ITEMS]]
    if isinstance(value, dict):
        return {key: _member(key, item, depth) for key, item in list(value.items())[:ITEMS]}
    return value


def _text(value: str) -> str:
    if "==UserScript==" in value:
        return f"[script, {len(value)} characters]"
    return value if len(value) <= TEXT else f"{value[:TEXT]}… [{len(value)} characters]"


def _member(key: str, item: Any, depth: int) -> Any:
    if key.lower() in _SCRIPT_KEYS and isinstance(item, str) and not _PLAIN_WORD.fullmatch(item):
        return f"[script, {len(item)} characters]"
    return bounded(item, depth - 1)
