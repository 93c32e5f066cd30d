"""Words of our provider's tools: sources, and the codes in their results."""

from __future__ import annotations

from typing import Any


def error_code(result: dict[str, Any]) -> str | None:
    """The chain's error code in a tool result, if it is a failure."""
    if not result.get("isError"):
        return None
    return str(result["_meta"]["webmcp-e2e/error"]["code"])


def source_of(name: str, body: str = "", match: str = "http://127.0.0.1/*") -> str:
    """A userscript that runs at document-end."""
    lines = ["// ==UserScript==", f"// @name {name}", f"// @match {match}", "// @run-at document-end"]
    return "\n".join([*lines, "// ==/UserScript==", body, ""])


def creates(count: int) -> list[tuple[str, dict[str, Any]]]:
    """So many writes that all differ."""
    return [("create_script", {"source": source_of(f"script {index}")}) for index in range(count)]
