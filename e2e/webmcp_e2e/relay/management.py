"""The relay's own four tools: for clients that cannot follow a changing list, and to see what is there."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from webmcp_e2e.relay import backend as relay_backend
from webmcp_e2e.relay.backend import Backend
from webmcp_e2e.relay.jsonio import JsonObject
from webmcp_e2e.relay.listing import client_definition
from webmcp_e2e.relay.results import error_result, text_result

CALL_TOOL: Final = "webmcp_call_tool"
OPEN_PAGE: Final = "webmcp_open_page"
_READ_ONLY: Final = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
_NOTHING: Final = {"type": "object", "properties": {}}

DEFINITIONS: Final[tuple[JsonObject, ...]] = (
    {
        "name": "webmcp_list_sources",
        "title": "List connected tabs",
        "description": "Tabs that are connected, with origin, URL, title and how many tools each offers.",
        "inputSchema": _NOTHING,
        "annotations": _READ_ONLY,
    },
    {
        "name": "webmcp_list_tools",
        "title": "List the pages' tools",
        "description": "Tools that connected pages offer, with schemas and the tab each belongs to. "
        "Call one by its own name, or with webmcp_call_tool.",
        "inputSchema": _NOTHING,
        "annotations": _READ_ONLY,
    },
    {
        "name": CALL_TOOL,
        "title": "Call a page's tool",
        "description": "Call a tool of a connected page by the name that webmcp_list_tools shows.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The tool's name as listed."},
                "arguments": {"type": "object", "description": "What its input schema asks for."},
            },
            "required": ["name"],
        },
        "annotations": {"readOnlyHint": False},
    },
    {
        "name": OPEN_PAGE,
        "title": "Open or reload a page",
        "description": "Open an http or https URL in the default browser, or reload the connected tab "
        "that shows it.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "url": {"type": "string", "description": "http or https."},
                "refresh": {
                    "type": "boolean",
                    "description": "Reload the connected tab instead of opening one.",
                },
            },
            "required": ["url"],
        },
        "annotations": {"readOnlyHint": False},
    },
)

NAMES: Final = frozenset(str(definition["name"]) for definition in DEFINITIONS)
"""Names that no page's tool gets."""

_Handler: TypeAlias = Callable[[JsonObject], Awaitable[JsonObject]]


def _listing(kind: str, items: list[Any]) -> JsonObject:
    structured = {"count": len(items), kind: items}
    return text_result(json.dumps(structured, ensure_ascii=False, indent=1), structured)


def _invalid(what: str, mend: str) -> JsonObject:
    return error_result("invalid_args", "no", what, mend)


class Management:
    """Serves the management tools over a backend."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._handlers: dict[str, _Handler] = {
            "webmcp_list_sources": self._list_sources,
            "webmcp_list_tools": self._list_tools,
            CALL_TOOL: self._call_tool,
            OPEN_PAGE: self._open_page,
        }

    async def call(self, name: str, args: JsonObject) -> JsonObject:
        """The result of the tool `name`, which is one of `NAMES`."""
        return await self._handlers[name](args)

    async def _list_sources(self, _args: JsonObject) -> JsonObject:
        sources = [source.model_dump(exclude_none=True) for source in self._backend.sources()]
        return _listing("sources", sources)

    async def _list_tools(self, _args: JsonObject) -> JsonObject:
        tools = []
        for tool in self._backend.tools():
            source = tool.source.model_dump(exclude_none=True) if tool.source is not None else None
            original = tool.definition["name"]
            tools.append({**client_definition(tool), "originalName": original, "source": source})
        return _listing("tools", tools)

    async def _call_tool(self, args: JsonObject) -> JsonObject:
        name, arguments = args.get("name"), args.get("arguments", {})
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return _invalid("name must be a text and arguments an object", "Look at webmcp_list_tools.")
        if name in NAMES:
            return _invalid(f"{name} is no page's tool", "Call it by its own name.")
        return await relay_backend.call(self._backend, name, arguments)

    async def _open_page(self, args: JsonObject) -> JsonObject:
        url, reload = args.get("url"), args.get("refresh", False)
        if not isinstance(url, str) or not isinstance(reload, bool):
            return _invalid("url must be a text and refresh true or false", "Give url as http or https.")
        if not _is_web(url):
            return error_result("denied", "no", f"{url!r} is no http or https URL", "Only those are opened.")
        if reload:
            return await relay_backend.refresh(self._backend, url)
        return await _open_in_browser(url)


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


async def _open_in_browser(url: str) -> JsonObject:
    """Hand `url` to the desktop. Its output is thrown away: stdout belongs to MCP."""
    opener = os.environ.get("BROWSER") or ("open" if sys.platform == "darwin" else "xdg-open")
    program = shutil.which(opener)
    if program is None:
        what = f"{opener} is not installed, so no browser can be started from here"
        return error_result("page_error", "no", what, f"Open {url} by hand.")
    nowhere = asyncio.subprocess.DEVNULL
    await asyncio.create_subprocess_exec(
        program, url, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
    )
    return text_result(f"{url} was handed to {opener}. Its tools appear when the page has registered them.")
