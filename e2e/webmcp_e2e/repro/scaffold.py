"""``repro --new NAME``: a report that runs, to be changed into the one that is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .report import ReportError

_REPORT: Final = """\
# Run it: webmcp-e2e repro {name} --repeat 20
[report]
title = "{name}: what breaks, in one sentence"
url = ""                  # of the report, if there is one
runtime = "native"        # or "polyfill"
pages = "pages"           # served at the root; the order desk's pages are there too

[[step]]
goto = "page.html"

[[step]]
tools = ["greet"]         # waits until the MCP client lists it

[[step]]
recycle = "stop"          # the worker: "stop", "idle", "reload", "restart"

[[step]]
tools = ["greet"]

[[step]]
call = "greet"
args = {{ name = "you" }}
via = "relay"             # or "panel"
text = "Hello, you"       # or: error = "timeout"

[[step]]
executions = 1
"""

_PAGE: Final = """\
<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>A page with a tool</title></head>
  <body>
    <script type="module">
      import { journaled } from "/js/journal.js";

      await document.modelContext.registerTool(journaled({
        name: "greet",
        description: "Greets somebody.",
        inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        execute: async ({ name }) => `Hello, ${name}`,
      }));
      document.documentElement.dataset.tools = "ready";
    </script>
  </body>
</html>
"""


def scaffold(folder: Path) -> Path:
    """Makes the folder of a new report and returns it. Raises ``ReportError`` where something is already."""
    if folder.exists():
        raise ReportError(f"{folder} is there already. Choose another name.")
    pages = folder / "pages"
    pages.mkdir(parents=True)
    (folder / "report.toml").write_text(_REPORT.format(name=folder.name), encoding="utf-8")
    (pages / "page.html").write_text(_PAGE, encoding="utf-8")
    return folder
