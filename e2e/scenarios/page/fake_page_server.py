"""A page that speaks the channel itself, for scenarios in which the page's server is late, odd or malicious."""

from __future__ import annotations

SHORT_HANDSHAKE = {"handshakeAttempt": 300, "handshakePause": 100}
"""Overrides of the timing table, in milliseconds."""

SCRIPT = """
<script>
window.fake = {
  seen: [],                                   // payloads of clients, in order
  silent: new Set(),                          // methods (or "check") that get no answer
  tools: [{name: "echo", description: "d", inputSchema: {type: "object", properties: {}}}],
  executions: [],
  post(payload) {
    window.postMessage({channel: "mcp-default", type: "mcp", direction: "server-to-client", payload}, window.origin);
  },
  result(id, result) { this.post({jsonrpc: "2.0", id, result}); },
  list(params) { return {tools: this.tools}; },
  call(params) {
    this.executions.push(params);
    return {content: [{type: "text", text: JSON.stringify(params.arguments)}]};
  },
  answer(payload) {
    const {id, method, params} = payload;
    if (method === "initialize") this.result(id, {
      protocolVersion: params.protocolVersion, capabilities: {tools: {listChanged: true}},
      serverInfo: {name: "fake", version: "1"},
    });
    if (method === "tools/list") this.result(id, this.list(params));
    if (method === "tools/call") this.result(id, this.call(params));
  },
  methods(name) { return this.seen.filter((payload) => payload.method === name); },
  checks() { return this.seen.filter((payload) => payload === "mcp-check-ready").length; },
};
addEventListener("message", ({data}) => {
  if (data?.channel !== "mcp-default" || data.direction !== "client-to-server") return;
  const {payload} = data;
  fake.seen.push(payload);
  if (payload === "mcp-check-ready") { if (!fake.silent.has("check")) fake.post("mcp-server-ready"); }
  else if (!fake.silent.has(payload.method)) fake.answer(payload);
});
</script>
"""


def fake_server(setup: str = "") -> str:
    """HTML of a page with its own server; ``setup`` is JavaScript that bends ``window.fake``."""
    return f"{SCRIPT}<script>{setup}</script>"
