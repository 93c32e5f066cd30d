"""Tool definitions that a source offers, made fit for MCP clients.

One tool with a broken schema makes strict clients (and the published relay when it joins) refuse the whole
list, so what is wrong is left out here, member by member.
"""

from __future__ import annotations

from typing import Any, Final

from webmcp_e2e.relay.jsonio import JsonObject

_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def _input_schema(schema: Any) -> JsonObject:
    if isinstance(schema, dict) and schema.get("type", "object") == "object":
        return {"type": "object", **schema}
    return {"type": "object", "properties": {}}


def _annotations(given: JsonObject) -> JsonObject:
    def fits(key: str, value: Any) -> bool:
        if key == "title":
            return isinstance(value, str)
        return key not in _HINTS or isinstance(value, bool)

    return {key: value for key, value in given.items() if fits(key, value)}


def _is_icon(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("src"), str)


def normalized(tool: JsonObject) -> JsonObject | None:
    """`tool` with only well-formed members, its input schema an object schema; `None` if it has no name."""
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        return None
    clean: JsonObject = {"name": name, "inputSchema": _input_schema(tool.get("inputSchema"))}
    clean |= {key: tool[key] for key in ("title", "description") if isinstance(tool.get(key), str)}
    output = tool.get("outputSchema")
    if isinstance(output, dict) and output.get("type") == "object":
        clean["outputSchema"] = output
    if isinstance(tool.get("annotations"), dict):
        clean["annotations"] = _annotations(tool["annotations"])
    if isinstance(tool.get("_meta"), dict):
        clean["_meta"] = tool["_meta"]
    if isinstance(tool.get("icons"), list):
        clean["icons"] = [icon for icon in tool["icons"] if _is_icon(icon)]
    return clean
