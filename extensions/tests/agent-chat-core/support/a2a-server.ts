/** A remote agent that answers by script, in the dialect of 0.3 or 1.0. */
import type { ServerResponse } from "node:http";
import { type Received, sendJson, startServer } from "./http.ts";

export const TOKEN = "a2a-very-secret-token";

/** What one request is answered with: a result, or anything else by `respond`. */
export type Step = { result: unknown } | { respond: (response: ServerResponse, id: unknown) => void };

export interface RemoteAgent {
  url: string;
  cardUrl: string;
  /** JSON-RPC requests, in their order. */
  requests: Received[];
  /** Requests for the card. */
  cards: Received[];
  /** Called at each JSON-RPC request. */
  onRequest: (received: Received) => void;
}

export interface Script {
  /** `null`: 500. The default card is of 0.3; its URL is the server's. */
  card?: (url: string) => unknown;
  /** In their order; the last is repeated. */
  steps?: Step[];
}

export async function startAgent({ card = cardOf03, steps = [] }: Script = {}): Promise<RemoteAgent> {
  const agent: RemoteAgent = { url: "", cardUrl: "", requests: [], cards: [], onRequest: () => {} };
  agent.url = await startServer((received, response) => {
    if (received.path === "/card") {
      agent.cards.push(received);
      const body = card(agent.url);
      return body === null ? sendJson(response, {}, 500) : sendJson(response, body);
    }
    const step = steps[Math.min(agent.requests.length, steps.length - 1)];
    agent.requests.push(received);
    agent.onRequest(received);
    if (step) answer(step, received.body.id, response);
  });
  agent.cardUrl = `${agent.url}/card`;
  return agent;
}

function answer(step: Step, id: unknown, response: ServerResponse): void {
  if ("respond" in step) step.respond(response, id);
  else sendJson(response, { jsonrpc: "2.0", id, result: step.result });
}

export function cardOf03(url: string): Record<string, unknown> {
  return {
    protocolVersion: "0.3.0",
    name: "Analyst",
    description: "Analyses tables.",
    url: `${url}/rpc`,
    preferredTransport: "JSONRPC",
    skills: [{ id: "sum", name: "Sums", description: "adds up", tags: [] }],
  };
}

export function cardOf10(url: string): Record<string, unknown> {
  const { name, description, skills } = cardOf03(url);
  const supportedInterfaces = [
    { url: "grpc.example:443", protocolBinding: "GRPC", protocolVersion: "1.0" },
    { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ];
  return { name, description, skills, supportedInterfaces };
}

const text = (words: string) => [{ kind: "text", text: words }];

/** A direct answer of 0.3. */
export function message03(words: string): Step {
  return { result: { kind: "message", role: "agent", messageId: "m", parts: text(words) } };
}

/** A task of 0.3; `words` is the artifact of a completed one, else the status's message. */
export function task03(state: string, words = "", id = "task-1"): Step {
  const message = { kind: "message", role: "agent", messageId: "m", parts: text(words) };
  const artifacts = [{ artifactId: "a", parts: text(words) }];
  const more = state === "completed" ? { status: { state }, artifacts } : { status: { state, message } };
  return { result: { kind: "task", id, contextId: "context-1", ...more } };
}
