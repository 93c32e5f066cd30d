// A whole provider without a library: one tool that only reads. docs/protocol.md says what each part is for.
const SERVICE = { namespace: "clock", name: "Example clock", version: "1.0" };
const HELLO = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, instructions: "It only reads." };
const description = "The time in a time zone, such as Europe/Oslo.";
const inputSchema = { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] };
const TOOL = { name: "time_in", description, inputSchema, annotations: { readOnlyHint: true } };
// L0. Read anew each time, and for the sender's real id: what a sender says about itself proves nothing.
async function standing(sender) {
  const { enabled = false, allowed = [] } = await chrome.storage.local.get();
  const authorized = allowed.includes(sender);
  const pendingApproval = enabled && !authorized;
  if (pendingApproval) await chrome.storage.local.set({ waiting: [sender] });
  if (pendingApproval) await chrome.action.setTitle({ title: `Click to allow ${sender}` });
  return { enabled, authorized, ready: true, pendingApproval };
}
const isIn = (sender) => standing(sender).then(({ enabled, authorized }) => enabled && authorized);
chrome.action.onClicked.addListener(async () => {
  const { allowed = [], waiting = [] } = await chrome.storage.local.get();
  await chrome.storage.local.set({ enabled: true, allowed: [...allowed, ...waiting], waiting: [] });
});
const speaksItself = ({ id, url }) => url?.startsWith(`chrome-extension://${id}/`); // no content script
chrome.runtime.onMessageExternal.addListener((message, sender, answer) => {
  if (message?.channel !== "lumo:probe" || !speaksItself(sender)) return false;
  const { version, id, client } = message;
  const texts = [id, client?.id, client?.name, client?.version].every((text) => typeof text === "string");
  const fits = id && texts && typeof version === "number";
  const code = fits ? version !== 1 && "unsupported_version" : "bad_request";
  if (code) answer({ ok: false, error: { code, message: "Send version 1, id and client." } });
  else standing(sender.id).then((status) => answer({ ok: true, service: SERVICE, status }));
  return true;
});

chrome.runtime.onConnectExternal.addListener(async (port) => {
  if (port.name !== "lumo:mcp" || !speaksItself(port.sender)) return;
  let [kept, bytes] = [[], 0]; // until it is decided who may come in
  port.onMessage.addListener((message) => {
    if (!kept) return void receive(port, message);
    bytes += new Blob([JSON.stringify(message)]).size;
    if (kept.push(message) > 64 || bytes > 1_048_576) port.disconnect();
  });
  if (!(await isIn(port.sender.id)) || kept.length > 64 || bytes > 1_048_576) return port.disconnect();
  for (const message of kept) void receive(port, message);
  kept = undefined;
});
async function receive(port, { id, method, params }) {
  const reply = (body) => port.postMessage({ jsonrpc: "2.0", id, ...body });
  const refuse = (code, message) => reply({ error: { code, message } });
  if (method === "initialize") reply({ result: { ...HELLO, serverInfo: SERVICE } });
  else if (method === "ping") reply({ result: {} });
  else if (method === "tools/list") reply({ result: { tools: [TOOL] } });
  else if (method === "tools/call" && params?.name !== TOOL.name) refuse(-32602, `No tool ${params?.name}`);
  else if (method === "tools/call") reply({ result: await timeIn(port.sender.id, params.arguments?.zone) });
  else if (method && id !== undefined) refuse(-32601, `No method ${method}`);
}
async function timeIn(sender, zone) {
  const answer = (text, isError = false) => ({ content: [{ type: "text", text }], isError });
  if (!(await isIn(sender))) return answer("You are not let in. Ask the user.", true);
  if (!Intl.supportedValuesOf("timeZone").includes(zone)) return answer("Use one like Europe/Oslo.", true);
  return answer(new Date().toLocaleTimeString("en", { timeZone: zone }));
}
