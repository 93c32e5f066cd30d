/** JSON-RPC with an agent, in the dialect of its card. */
import { AgentFailure } from "../errors.ts";
import { isRecord, textOf } from "../parse.ts";
import type { A2aCard } from "./binding.ts";
import { type Requester, requestJson } from "./http.ts";
import { misshapen, parseReply, parseTask, type Reply, type TaskReply } from "./reply.ts";

/** What a task begins or goes on with. */
export interface Outgoing {
  text: string;
  taskId: string | undefined;
  contextId: string | undefined;
}

const METHODS = {
  "0.3": { send: "message/send", get: "tasks/get", cancel: "tasks/cancel" },
  "1.0": { send: "SendMessage", get: "GetTask", cancel: "CancelTask" },
} as const;

/** Characters of an agent's own words in an error. */
const MAX_WORDS = 300;

export async function sendMessage(card: A2aCard, outgoing: Outgoing, requester: Requester): Promise<Reply> {
  const message = messageOf(card.protocol, outgoing);
  return parseReply(await call(card, METHODS[card.protocol].send, { message }, requester));
}

export async function getTask(card: A2aCard, id: string, requester: Requester): Promise<TaskReply> {
  const task = parseTask(await call(card, METHODS[card.protocol].get, { id }, requester));
  if (task.id !== id) throw misshapen("it answers with another task");
  return task;
}

export async function cancelTask(card: A2aCard, id: string, requester: Requester): Promise<void> {
  await call(card, METHODS[card.protocol].cancel, { id }, requester);
}

function messageOf(protocol: A2aCard["protocol"], { text, taskId, contextId }: Outgoing) {
  const ids = {
    messageId: `a2a-msg-${crypto.randomUUID()}`,
    ...(taskId ? { taskId } : {}),
    ...(contextId ? { contextId } : {}),
  };
  return protocol === "1.0"
    ? { role: "ROLE_USER", parts: [{ text }], ...ids }
    : { kind: "message", role: "user", parts: [{ kind: "text", text }], ...ids };
}

async function call(card: A2aCard, method: string, params: object, requester: Requester): Promise<unknown> {
  const id = crypto.randomUUID();
  const tenant = card.tenant === undefined ? {} : { tenant: card.tenant };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...tenant } });
  const headers = { "Content-Type": "application/json", "A2A-Version": card.protocol };
  const answer = await requestJson(card.endpoint, { method: "POST", headers, body }, requester);
  return resultOf(answer, id, requester.token);
}

function resultOf(answer: unknown, id: string, token: string): unknown {
  if (!isRecord(answer) || answer.jsonrpc !== "2.0") throw misshapen("its answer is no JSON-RPC 2.0");
  if (isRecord(answer.error)) throw refused(answer.error, token);
  if (answer.id !== id) throw misshapen("its answer has another request's id");
  return answer.result;
}

function refused({ code, message }: Record<string, unknown>, token: string): AgentFailure {
  const words = textOf(message, MAX_WORDS);
  const safe = token === "" ? words : words.replaceAll(token, "••••");
  return AgentFailure.of(
    "a2a_failed",
    `The agent refuses the request (${Number(code)}: ${safe}). Change the task, or tell its owner.`,
  );
}
