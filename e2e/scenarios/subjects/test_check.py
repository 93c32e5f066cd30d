"""``webmcp-e2e check`` on real pages: what an author reads, and what decides the exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from webmcp_e2e.services.html_app import HtmlApp

pytestmark = [pytest.mark.requirement("harness.subjects")]

DEAF = """<!doctype html><title>A page whose runtime was replaced</title><script>
  const own = document.modelContext;
  own.registerTool({
    name: "count", description: "Counts the orders there are.", annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: {} },
    execute: async () => { throw new Error("no database"); },
  });
  own.registerTool({ name: "ext__mine", description: "Has a name that is not its own.", execute: async () => "" });
  own.registerTool = () => undefined;
</script>"""
"""Its reader fails, one name is reserved, and nothing that is registered later reaches anybody."""


def check(url: str) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """Exit code, and findings by check."""
    command = [
        sys.executable,
        "-m",
        "webmcp_e2e.cli",
        "check",
        url,
        "--webmcp-runtime",
        "native",
        "--json",
        "-",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert done.stdout, done.stderr
    by_check: dict[str, list[dict[str, Any]]] = {}
    for one in json.loads(done.stdout)["findings"]:
        by_check.setdefault(one["check"], []).append(one)
    return done.returncode, by_check


def test_a_page_that_is_well_passes_each_look(html_app: HtmlApp) -> None:
    code, found = check(html_app.url)
    assert code == 0, found
    looks = {"tools", "call", "register", "recycle", "reload", "back", "reload-extension"}
    assert looks <= set(found), f"not looked at: {looks - set(found)}"


def test_a_page_that_is_not_is_told_where(html_app: HtmlApp, tmp_path) -> None:
    (tmp_path / "deaf.html").write_text(DEAF)
    with HtmlApp([tmp_path]) as app:
        code, found = check(app.page("deaf.html"))
    assert code == 1
    [call], [register], [hidden] = found["call"], found["register"], found["hidden"]
    assert call["level"] == register["level"] == hidden["level"] == "problem"
    assert (call["subject"], hidden["subject"]) == ("count", "ext__mine")
    assert "begin with ext__ are reserved" in hidden["text"]
    assert "registered later does not reach a client" in register["text"]
    assert found["recycle"][0]["level"] == "ok"
