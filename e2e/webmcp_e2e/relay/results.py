"""Tool results and errors in the one shape that every hop carries (spec chain.md §2, "Error codes")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from webmcp_e2e.contract import ERROR_META, ErrorCode, Executed
from webmcp_e2e.relay.jsonio import JsonObject

_BLOCKS: Final[Mapping[str, tuple[tuple[str, type], ...]]] = {
    "text": (("text", str),),
    "image": (("data", str), ("mimeType", str)),
    "audio": (("data", str), ("mimeType", str)),
    "resource": (("resource", dict),),
    "resource_link": (("uri", str), ("name", str)),
}
_MEMBERS: Final = (("structuredContent", dict), ("isError", bool), ("_meta", dict))


def text_result(text: str, structured: JsonObject | None = None) -> JsonObject:
    """A successful MCP tool result with one text, and `structured` as its structured content."""
    result: JsonObject = {"content": [{"type": "text", "text": text}]}
    if structured is not None:
        result["structuredContent"] = structured
    return result


def error_result(code: ErrorCode, executed: Executed, what: str, mend: str) -> JsonObject:
    """An MCP tool result that says ``<code>: <what happened>. <what to do>`` and whether the tool ran.

    Args:
        code: one of ``webmcp_e2e.contract.ERROR_CODES``.
        executed: whether the page's tool ran; ``"unknown"`` where the answer was lost.
        what: what happened, without a full stop.
        mend: what the caller can do, a whole sentence.
    """
    return {
        "isError": True,
        "content": [{"type": "text", "text": f"{code}: {what}. {mend}"}],
        "_meta": {ERROR_META: {"code": code, "executed": executed}},
    }


def tool_result(value: Any) -> JsonObject:
    """What a page answered, as an MCP tool result; a client's SDK would refuse a wrong one without a word.

    Unknown members pass. A wrong shape becomes a ``page_error``.
    """
    wrong = _what_is_wrong(value)
    if wrong is not None:
        mend = "The tool ran. Tell the page's author what an MCP tool result looks like."
        return error_result("page_error", "yes", f"the tool's result is no MCP result: {wrong}", mend)
    result: JsonObject = value
    return result if "content" in result else {**result, "content": []}


def _what_is_wrong(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "it is no object"
    content = value.get("content", [])
    if not isinstance(content, list) or not all(map(_is_block, content)):
        return "content is no list of content blocks"
    for member, kind in _MEMBERS:
        if member in value and not isinstance(value[member], kind):
            return f"{member} has the wrong type"
    return None


def _is_block(block: Any) -> bool:
    if not isinstance(block, dict):
        return False
    needed = _BLOCKS.get(block.get("type", ""))
    return needed is not None and all(isinstance(block.get(member), kind) for member, kind in needed)
