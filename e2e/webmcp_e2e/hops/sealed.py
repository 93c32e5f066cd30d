"""A page in one file that opens from disk, loads nothing, and runs nothing that somebody else has written."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any, Final

_ESCAPES: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
"""In JSON these can only stand inside texts, so the escaped block is the same JSON, and no markup."""


def sealed_page(package: str, name: str, content: Any) -> str:
    """``NAME.html`` of a package with ``NAME.css``, ``NAME.js`` and ``content`` (JSON) put in.

    The template says where by ``__STYLE__``, ``__SCRIPT__`` and ``__DATA__``; its policy allows just these two by
    ``__STYLE_HASH__`` and ``__SCRIPT_HASH__``, and no network.
    """
    style, script = _asset(package, f"{name}.css"), _asset(package, f"{name}.js")
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    parts = {
        "__STYLE_HASH__": _hash(style),
        "__SCRIPT_HASH__": _hash(script),
        "__STYLE__": style,
        "__SCRIPT__": script,
        "__DATA__": data.translate(_ESCAPES),
    }
    page = _asset(package, f"{name}.html")
    for mark, text in parts.items():  # The data come last: what stands in them is no mark.
        page = page.replace(mark, text)
    return page


def _asset(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
