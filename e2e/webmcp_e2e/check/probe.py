"""A tool of ours that comes and goes on the page under test: whether a client hears of both."""

from __future__ import annotations

from typing import Final

PROBE: Final = "check_late_tool"

REGISTER: Final = """
(name) => {
  const context = document.modelContext ?? navigator.modelContext;
  const ending = new AbortController();
  window[Symbol.for(name)] = ending;
  context.registerTool(
    {
      name,
      description: "Registered by `webmcp-e2e check` for a moment.",
      inputSchema: { type: "object", properties: {} },
      execute: async () => ({ content: [{ type: "text", text: "here" }] }),
    },
    { signal: ending.signal },
  );
}
"""
"""Unregistering is by the signal in every runtime: Chromium's own and the polyfill."""

REGISTERED: Final = """
async () => {
  const tools = (await (document.modelContext ?? navigator.modelContext)?.getTools?.()) ?? [];
  return tools.map((tool) => tool.name);
}
"""
"""The names of what the page itself has registered; none where its runtime cannot list them."""

UNREGISTER: Final = "(name) => window[Symbol.for(name)].abort()"
