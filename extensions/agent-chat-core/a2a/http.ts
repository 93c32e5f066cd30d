/** Requests to remote agents: bounded in time and size, without cookies, and without a token in any error. */
import { AgentFailure } from "../errors.ts";
import { AGENT_LIMITS } from "../limits.ts";

export interface Requester {
  fetch: typeof fetch;
  /** Sent as a bearer token, where there is one. */
  token: string;
  signal: AbortSignal;
  /** Milliseconds of one request, its body included. */
  timeout: number;
}

export interface RequestParts {
  method: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
}

/**
 * The JSON of an answer. Throws an AgentFailure (`a2a_network`, `a2a_auth`, `a2a_timeout`, `a2a_protocol`), or the
 * signal's reason after an abort. Redirects are not followed: a token belongs to one place.
 */
export async function requestJson(url: string, parts: RequestParts, requester: Requester): Promise<unknown> {
  const { host } = new URL(url);
  const limit = AbortSignal.timeout(requester.timeout);
  const signal = AbortSignal.any([requester.signal, limit]);
  try {
    const response = await requester.fetch(url, { ...parts, ...fixedParts(parts, requester.token), signal });
    return parseJson(await textWithin(accepted(response, host), host), host);
  } catch (cause) {
    requester.signal.throwIfAborted();
    if (limit.aborted) throw timedOut(host, requester.timeout);
    throw cause instanceof AgentFailure ? cause : unreachable(host);
  }
}

function fixedParts({ headers }: RequestParts, token: string): RequestInit {
  return {
    headers: {
      Accept: "application/json",
      ...headers,
      ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
    },
    redirect: "error",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
  };
}

function accepted(response: Response, host: string): Response {
  const { status, ok } = response;
  if (ok) return response;
  if (status === 401 || status === 403) {
    throw AgentFailure.of(
      "a2a_auth",
      `${host} refuses the token (${status}). Enter another one in the A2A agents tab.`,
    );
  }
  const mend = status >= 500 ? "Try again later." : "Check the card URL and the endpoint.";
  throw AgentFailure.of(
    status >= 500 ? "a2a_network" : "a2a_protocol",
    `${host} answers with status ${status}. ${mend}`,
  );
}

async function textWithin(response: Response, host: string): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > AGENT_LIMITS.a2aAnswer) {
      await reader?.cancel();
      throw AgentFailure.of("a2a_protocol", `The answer of ${host} is too big. Ask the agent for less.`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw AgentFailure.of(
      "a2a_protocol",
      `The answer of ${host} is no JSON. Check the card URL and the endpoint.`,
    );
  }
}

function unreachable(host: string): AgentFailure {
  return AgentFailure.of(
    "a2a_network",
    `Nothing answers at ${host}, or it redirects. Check the address and that the agent runs.`,
  );
}

function timedOut(host: string, timeout: number): AgentFailure {
  return AgentFailure.of(
    "a2a_timeout",
    `${host} gave no answer within ${timeout / 1000} s. Try again later.`,
  );
}
