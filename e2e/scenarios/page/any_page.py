"""A page that may be anybody's: its own tools, and probes that the test registers in it as its author would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from webmcp_e2e.browser import Extension
from webmcp_e2e.waiting import wait_until

if TYPE_CHECKING:
    from mcp_types import CallToolResult, Tool
    from playwright.sync_api import Page

    from webmcp_e2e.services.relay_process import Relay

Behaviour = Literal[
    "echo", "throw", "reject", "structured", "plain", "nothing", "big", "leave", "wait", "stall"
]

PATIENCE: Final = 15.0
"""Seconds for each wait."""
_BUILTIN: Final = "chrome_extension_"
_REGISTER: Final = """
async ({name, behaviour, members}) => {
  const context = document.modelContext ?? navigator.modelContext;
  if (!context) throw new Error("the page has no document.modelContext");
  const all = (window.webmcpProbes ??= {});
  const probe = {aborter: new AbortController(), got: []};
  const text = (words) => ({content: [{type: "text", text: words}]});
  const behaviours = {
    echo: (args) => text(JSON.stringify(args)),
    throw: () => { throw new Error("the probe fails on purpose"); },
    reject: async () => { throw new Error("the probe fails on purpose"); },
    structured: (args) => ({...text("see structuredContent"), structuredContent: {got: args}}),
    plain: () => "plain words",
    nothing: () => undefined,
    big: () => text("x".repeat(1_000_000)),
    stall: (args, options) => new Promise((_, reject) => {
      options?.signal?.addEventListener("abort", () => { probe.aborted = true; reject(options.signal.reason); });
    }),
    leave: () => { probe.aborter.abort(); return text("left"); },
    wait: async (args) => { await new Promise((go) => setTimeout(go, args.ms)); return text(String(args.n)); },
  };
  const tool = {
    name,
    description: "A probe of the harness: it says what it was given.",
    inputSchema: {type: "object", properties: {}},
    ...members,
    execute: (args, options) => { probe.got.push(args); return behaviours[behaviour](args, options); },
  };
  await context.registerTool(tool, {signal: probe.aborter.signal});
  all[name] = probe;
}
"""
_EXECUTE: Final = """
async ({name, input, abort}) => {
  const context = document.modelContext ?? navigator.modelContext;
  const tool = (await context.getTools()).find((one) => one.name === name);
  if (!tool) throw new Error(`getTools() lists no ${name}`);
  const aborter = new AbortController();
  if (abort) setTimeout(() => aborter.abort(), 50);
  const run = (given) => context.executeTool(tool, given, {signal: aborter.signal});
  // A TypeError is how a runtime refuses the other shape; the tool has not run then.
  try { return String(await run(input)); }
  catch (error) {
    if (!(error instanceof TypeError) && error.name !== "UnknownError") throw error;
    return String(await run(JSON.stringify(input)));
  }
}
"""
_CHANGES: Final = """
() => {
  const context = document.modelContext ?? navigator.modelContext;
  window.webmcpChanges = 0;
  context.addEventListener("toolchange", () => { window.webmcpChanges++; });
}
"""
_FORM: Final = """
(name) => {
  const form = document.createElement("form");
  form.setAttribute("toolname", name);
  form.setAttribute("tooldescription", "A form that the harness put here.");
  form.setAttribute("toolautosubmit", "");
  form.innerHTML = '<input name="word">';
  window.webmcpForms = [];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    window.webmcpForms.push(new FormData(form).get("word"));
    event.respondWith?.(Promise.resolve("taken"));
  });
  document.body.append(form);
}
"""


@dataclass(frozen=True)
class AnyPage:
    """The page under test, shown, with extension, relay and MCP client behind it."""

    page: Page
    host: Extension
    relay: Relay
    url: str

    def tools(self) -> dict[str, Tool]:
        """The page's tools as an MCP client sees them, probes too."""
        wanted = self.relay.page_tools()
        return {
            name: tool
            for name, tool in self.relay.tools().items()
            if name in wanted and not name.startswith(_BUILTIN)
        }

    def own_tools(self) -> dict[str, Tool]:
        """The tools that the page offers by itself; at least one, or the wait for it fails."""
        return wait_until(self.tools, "the page offers a tool", timeout=PATIENCE)

    def register(self, name: str, behaviour: Behaviour = "echo", **members: Any) -> None:
        """Register a probe in the page and wait until the MCP client lists it. Raises what the page says."""
        self.register_only(name, behaviour, **members)
        self.wait_listed(name)

    def register_only(self, name: str, behaviour: Behaviour = "echo", **members: Any) -> None:
        """Register a probe in the page."""
        self.page.evaluate(_REGISTER, {"name": name, "behaviour": behaviour, "members": members})

    def unregister(self, name: str) -> None:
        """Abort the signal that a probe was registered with."""
        self.page.evaluate("name => window.webmcpProbes[name].aborter.abort()", name)

    def received(self, name: str) -> list[Any]:
        """The arguments of each run of a probe."""
        got: list[Any] = self.page.evaluate("name => window.webmcpProbes[name].got", name)
        return got

    def wait_for_run(self, name: str) -> None:
        """Wait until a probe runs."""
        self.page.wait_for_function(
            "name => window.webmcpProbes[name].got.length > 0", arg=name, timeout=PATIENCE * 1000
        )

    def wait_aborted(self, name: str) -> None:
        """Wait until a running probe's signal is aborted."""
        wait_until(
            lambda: self.page.evaluate("name => window.webmcpProbes[name].aborted === true", name),
            f"the signal that {name} was given is aborted",
            timeout=PATIENCE,
        )

    def execute(self, name: str, *, abort: bool = False, **args: Any) -> str:
        """Find and run a tool as a script of the page does; ``abort``: cancelled after a moment."""
        given = {"name": name, "input": args, "abort": abort}
        return str(self.page.evaluate(_EXECUTE, given))

    def count_changes(self) -> None:
        """Count the page's ``toolchange`` events from now on."""
        self.page.evaluate(_CHANGES)

    def wait_for_changes(self, count: int) -> None:
        """Wait for so many ``toolchange`` events."""
        self.page.wait_for_function(
            "count => window.webmcpChanges >= count", arg=count, timeout=PATIENCE * 1000
        )

    def add_form(self, name: str) -> None:
        """Put a form that is a tool into the page; it submits by itself."""
        self.page.evaluate(_FORM, name)

    def submitted(self) -> list[str]:
        """What was in that form, each time it was submitted."""
        words: list[str] = self.page.evaluate("window.webmcpForms")
        return words

    def wait_listed(self, *names: str) -> None:
        """Wait until the MCP client lists these."""
        wait_until(
            lambda: set(names) <= set(self.tools()), f"{', '.join(names)} are listed", timeout=PATIENCE
        )

    def wait_gone(self, *names: str) -> None:
        """Wait until the MCP client lists none of these."""
        wait_until(
            lambda: not set(names) & set(self.tools()), f"{', '.join(names)} are gone", timeout=PATIENCE
        )

    def call(self, name: str, **args: Any) -> CallToolResult:
        """Call a tool as an MCP client does."""
        return self.relay.call(name, args)


def text_of(result: CallToolResult) -> str:
    """The first text of a result."""
    return next((getattr(block, "text", "") for block in result.content), "")
