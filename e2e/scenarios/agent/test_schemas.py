"""Schemas of pages as each protocol takes them; what the page wrote still decides about the arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_panel import ChatPanel

from webmcp_e2e.services.html_app import HtmlApp
from webmcp_e2e.services.llm import Llm, ToolCall

pytestmark = [
    pytest.mark.webmcp_runtime("native"),
    pytest.mark.requirement("agent.schemas"),
    pytest.mark.bug("B23"),
    pytest.mark.parametrize("protocol", ["openai-compat", "anthropic"], indirect=True),
]

ADDRESS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
SCHEMAS: dict[str, dict[str, Any]] = {
    "choice": {
        "type": "object",
        "oneOf": [
            {"properties": {"by_id": {"type": "integer"}}, "required": ["by_id"]},
            {"properties": {"by_name": {"type": "string"}}, "required": ["by_name"]},
        ],
    },
    "typeless": {"properties": {"a": {}}},
    "references": {
        "type": "object",
        "$defs": {"address": ADDRESS, "node": NODE},
        "properties": {"home": {"$ref": "#/$defs/address"}, "chain": {"$ref": "#/$defs/node"}},
    },
    "draft_4": {
        "type": "object",
        "properties": {"n": {"type": "number", "minimum": 0, "exclusiveMinimum": True}},
    },
    "tuple": {
        "type": "object",
        "properties": {"pair": {"type": "array", "items": [{"type": "string"}, {"type": "number"}]}},
    },
    "any_array": {"type": "object", "properties": {"list": {"type": "array"}}},
    "odd_keys": {
        "type": "object",
        "properties": {"first name": {"type": "string"}, "größe": {"type": "number"}},
    },
    "odd_words": {
        "type": "object",
        "x-vendor": {"a": 1},
        "properties": {"at": {"type": "string", "format": "moon-phase", "pattern": "(?<!x"}},
        "required": ["at", "nothing"],
    },
    "n" * 120: {"type": "object", "properties": {}},
    "dots.and.more": {"type": "object", "properties": {}},
}
PAGE = """<!doctype html><title>Schemas</title>
<script type="module">
  import {journaled} from "/js/journal.js";
  const schemas = await (await fetch("schemas.json")).json();
  for (const [name, inputSchema] of Object.entries(schemas)) {
    await document.modelContext.registerTool(journaled({
      name, description: "a hard schema", inputSchema, execute: () => "ran",
    }));
  }
  document.documentElement.dataset.tools = "ready";
</script>
"""


@pytest.fixture
def html_app(tmp_path: Path) -> Iterator[HtmlApp]:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "schemas.html").write_text(PAGE, encoding="utf-8")
    (pages / "schemas.json").write_text(json.dumps(SCHEMAS), encoding="utf-8")
    with HtmlApp([pages]) as app:
        yield app


@pytest.fixture
def start_page(html_app: HtmlApp) -> str:
    return html_app.page("schemas.html")


def test_the_server_takes_them_all_and_the_page_still_decides(
    chat: ChatPanel, llm: Llm, html_app: HtmlApp
) -> None:
    """The model's server is as strict as the vendors'; the model's arguments meet the original schema."""
    good, bad = {"by_name": "Ada"}, {"by_id": 1, "by_name": "both"}
    llm.reply_by(lambda asked: [ToolCall(asked.tool("__choice"), args) for args in (bad, good)])
    llm.reply("One of two.")
    chat.ask("Choose.")
    chat.expect_done("One of two.")
    offered = [name for name in llm.requests[0].tools if name.startswith("tab")]
    assert len(offered) == len(SCHEMAS)
    properties = llm.requests[0].tools[llm.requests[0].tool("__choice")]["properties"]
    assert {"by_id", "by_name"} <= properties.keys(), "the model still sees what it may write"
    chat.expect_calls(("__choice", "refused"), ("__choice", "done"))
    assert [one.args for one in html_app.invocations] == [good]
    refused, _ = llm.requests[-1].tool_results
    assert "invalid_args" in refused
