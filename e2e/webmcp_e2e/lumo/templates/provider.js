// A provider that does what behaviour.js says, right or wrong. Plain JSON-RPC: no SDK mends its faults.
import { after, behaviour, count, isLoaded, loaded, record, reread, step } from "./journal.js";

const ports = new Map();
const held = [];
let portsSeen = 0;

// ---- L0 ----

const AT_ONCE = ["throw", "leave"];

/** What must be decided before the listener returns. A worker that has just started knows no plan yet. */
function atOnce() {
  const action = isLoaded || !Array.isArray(behaviour.probe) ? step(behaviour.probe, count("probe")) : "";
  return AT_ONCE.includes(action) ? action : undefined;
}

chrome.runtime.onMessageExternal.addListener((message, sender, answer) => {
  if (message?.channel !== "lumo:probe") return false;
  const action = atOnce();
  if (action) return notAnswered(action, message, sender);
  loaded.then(() => answerProbe(message, sender, answer));
  return true;
});

function notAnswered(action, request, sender) {
  loaded.then(() => record("probe", { request, sender: sender.id, action }));
  if (action === "throw") throw new Error("scripted: the listener throws");
  return false;
}

async function answerProbe(request, sender, answer) {
  const action = step(behaviour.probe, count("probe"));
  await record("probe", { request, sender: sender.id, action });
  if (action === "never") held.push(answer);
  else if (action === "die") chrome.runtime.reload();
  else await answerAfter(behaviour.probeDelayMs, answer);
}

async function answerAfter(ms, answer) {
  if (ms > 0) await after(ms);
  const { service, status } = behaviour;
  const said = "answer" in behaviour ? behaviour.answer : { ok: true, service, status };
  await record("answer", { said });
  answer(said);
}

// ---- L1 ----

chrome.runtime.onConnectExternal.addListener((port) => {
  portsSeen += 1;
  const entry = { port, number: portsSeen, open: true };
  ports.set(entry.number, entry);
  port.onMessage.addListener((message) => loaded.then(() => receive(entry, message)));
  port.onDisconnect.addListener(() => loaded.then(() => closed(entry)));
  loaded.then(() => opened(entry));
});

async function opened(entry) {
  const action = step(behaviour.connect, count("connect"));
  void record("connect", {
    port: entry.number,
    name: entry.port.name,
    sender: entry.port.sender?.id,
    action,
  });
  for (const message of behaviour.early) entry.port.postMessage(message);
  if (behaviour.initialize === "replay") await replay(entry);
  if (action === "refuse") drop(entry);
}

function closed(entry) {
  entry.open = false;
  ports.delete(entry.number);
  return record("closed", { port: entry.number });
}

/** The provider's own end of a port sees no onDisconnect. */
function drop(entry) {
  entry.port.disconnect();
  return closed(entry);
}

function post(entry, message) {
  if (entry.open) entry.port.postMessage({ jsonrpc: "2.0", ...message });
}

async function receive(entry, message) {
  const { method, id } = message;
  await record("message", { port: entry.number, message });
  if (behaviour.silent.includes(method) || behaviour.connect === "silent") return;
  if (method in behaviour.errors) post(entry, { id, error: behaviour.errors[method] });
  else if (method in behaviour.results) post(entry, { id, result: behaviour.results[method] });
  else if (method === "initialize") await initialize(entry, message);
  else if (method === "tools/list") post(entry, { id, result: page(message.params?.cursor) });
  else if (method === "tools/call") await call(entry, message);
  else if (method === "ping") post(entry, { id, result: {} });
  else if (id !== undefined && method) post(entry, { id, error: { code: -32601, message: `No ${method}` } });
}

function initializeResult() {
  return {
    protocolVersion: behaviour.revision,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: behaviour.service.name, version: behaviour.service.version },
    instructions: behaviour.instructions,
  };
}

async function initialize(entry, message) {
  const answer = { id: message.id, result: initializeResult() };
  const { firstInitialize } = await chrome.storage.local.get("firstInitialize");
  if (!firstInitialize) await chrome.storage.local.set({ firstInitialize: answer });
  post(entry, answer);
  flood(entry, behaviour.flood);
}

async function replay(entry) {
  const { firstInitialize } = await chrome.storage.local.get("firstInitialize");
  if (firstInitialize) post(entry, firstInitialize);
}

function flood(entry, messages) {
  const params = { level: "info", data: "scripted flood" };
  for (let n = 0; n < messages; n += 1) post(entry, { method: "notifications/message", params });
}

/** One page of the listing. `endless`: invented tools for ever, each page with a next one. */
function page(cursor) {
  const from = Number(cursor ?? 0);
  const size = behaviour.pageSize || behaviour.tools.length;
  if (behaviour.endless) {
    const names = Array.from({ length: behaviour.pageSize || 10 }, (_, n) => `endless_${from + n}`);
    return { tools: names.map(toolNamed), nextCursor: String(from + names.length) };
  }
  const tools = behaviour.tools.slice(from, from + size);
  const more = from + size < behaviour.tools.length;
  return { tools, ...(more ? { nextCursor: String(from + size) } : {}) };
}

function toolNamed(name) {
  return { name, description: name, inputSchema: { type: "object" } };
}

async function call(entry, message) {
  const { name, arguments: args } = message.params;
  const n = count("call", (earlier) => earlier.tool === name);
  const action = step(behaviour.calls[name] ?? behaviour.call, n);
  await record("call", { port: entry.number, tool: name, args, sender: entry.port.sender?.id, action });
  const act = ACTIONS[action];
  await act(entry, message, { tool: name, args, execution: n + 1 });
}

function text(data, more = {}) {
  return { content: [{ type: "text", text: JSON.stringify(data) }], ...more };
}

/** What becomes of a call that has been executed. */
const ACTIONS = {
  ok: (entry, { id }, data) => post(entry, { id, result: text(data) }),
  fail: (entry, { id }, data) => post(entry, { id, result: text(data, { isError: true }) }),
  error: (entry, { id }) => post(entry, { id, error: { code: -32603, message: "scripted: internal error" } }),
  malformed: (entry, { id }) => post(entry, { id, result: { content: "scripted: no list" } }),
  wrong_id: (entry, _message, data) => post(entry, { id: 987654, result: text(data) }),
  never: () => undefined,
  drop: (entry) => drop(entry),
  die: () => chrome.runtime.reload(),
  async late(entry, message, data) {
    await after(behaviour.lateMs);
    ACTIONS.ok(entry, message, data);
  },
  twice(entry, message, data) {
    ACTIONS.ok(entry, message, data);
    ACTIONS.ok(entry, message, { ...data, again: true });
  },
  flood(entry, message, data) {
    flood(entry, 1_000);
    ACTIONS.ok(entry, message, data);
  },
  /** Runs until the test says `scripted.release()`. */
  async hold(entry, message, data) {
    await new Promise((done) => held.push(done));
    ACTIONS.ok(entry, message, data);
  },
};

/** For the test, by `worker.evaluate`. */
globalThis.scripted = {
  reread,
  post(message) {
    for (const entry of ports.values()) post(entry, message);
    return ports.size;
  },
  async drop() {
    const open = [...ports.values()];
    await Promise.all(open.map(drop));
    return open.length;
  },
  release() {
    return held.splice(0).map((done) => done()).length;
  },
};
