/** What went wrong between us and a model's server, in our words. */
import { type AgentErrorCode, AgentFailure, type AgentProblem, problemOf } from "../errors.ts";
import { isRecord } from "../parse.ts";
import type { LlmAccess } from "./config.ts";
import type { ModelTool } from "./model.ts";

/** The members that the errors of both vendors' clients have. */
interface VendorError {
  status?: number | undefined;
  headers?: Headers | undefined;
  /** The body. */
  error?: unknown;
  message: string;
}

/** Characters of a server's own words that are shown. */
const MAX_WORDS = 500;

/** An AgentFailure of a model request; `retryAfter` in milliseconds where the server asks for a pause. */
export class LlmFailure extends AgentFailure {
  constructor(
    problem: AgentProblem,
    readonly retryable: boolean,
    readonly retryAfter?: number,
  ) {
    super(problem);
  }
}

/** The failure of anything that a vendor's client throws. No key is in its words. */
export function llmFailure(cause: unknown, access: LlmAccess, tools: readonly ModelTool[]): AgentFailure {
  if (cause instanceof AgentFailure) return cause;
  if (cause instanceof SyntaxError) return brokenProtocol("a part of its answer is no JSON");
  // What `fetch` and its streams throw.
  if (cause instanceof TypeError) return brokenOff();
  if (!isVendorError(cause)) return unexpected(cause, access);
  const words = scrub(wordsOf(cause), access.key);
  const status = cause.status ?? statusOfBody(cause.error);
  if (status === undefined) return isRecord(cause.error) ? refused(words, tools) : noConnection(access);
  return byStatus(status, words, cause.headers, access, tools);
}

export function brokenProtocol(what: string): LlmFailure {
  const message = `The model's server does not speak the protocol: ${what}. Check the protocol, base URL and path.`;
  return new LlmFailure({ code: "llm_protocol", message }, false);
}

export function brokenOff(): LlmFailure {
  const message = "The model's answer broke off. Retry the turn.";
  return new LlmFailure({ code: "llm_network", message }, true);
}

export function silent(limit: number): LlmFailure {
  const message = `The model's server sent nothing for ${limit / 1000} s. Retry the turn, or choose another model.`;
  return new LlmFailure({ code: "llm_timeout", message }, false);
}

function unexpected(cause: unknown, { key }: LlmAccess): AgentFailure {
  const { code, message } = problemOf(cause);
  return AgentFailure.of(code, scrub(message, key));
}

function isVendorError(cause: unknown): cause is VendorError & Error {
  return cause instanceof Error && "status" in cause && "headers" in cause;
}

function noConnection({ baseUrl }: LlmAccess): LlmFailure {
  const message = `Nothing answers at ${new URL(baseUrl).host}. Check the base URL and that the server runs.`;
  return new LlmFailure({ code: "llm_network", message }, true);
}

function byStatus(
  status: number,
  words: string,
  headers: Headers | undefined,
  access: LlmAccess,
  tools: readonly ModelTool[],
): LlmFailure {
  const fixed = (code: AgentErrorCode, message: string) => new LlmFailure({ code, message }, false);
  if (status === 401 || status === 403) return fixed("llm_auth", authSentence(status, access));
  if (status === 404) {
    return fixed("llm_not_found", `The server knows no such path or model (${words}). Check the settings.`);
  }
  if (status === 429) return rateLimited(words, headers);
  if (status >= 500 || status === 408 || status === 409) return serverFault(status, words, headers);
  return refused(words, tools);
}

function authSentence(status: number, { key, baseUrl }: LlmAccess): string {
  const { host } = new URL(baseUrl);
  return key === ""
    ? `${host} asks for a key (${status}), and there is none for it. Enter it in the settings.`
    : `${host} refuses the key (${status}). Enter another one in the settings.`;
}

function rateLimited(words: string, headers: Headers | undefined): LlmFailure {
  // An account without credit stays so: waiting does not help.
  const exhausted = /insufficient_quota|credit balance|billing/i.test(words);
  const mend = exhausted ? "Look at your account there." : "Wait a while and retry the turn.";
  const message = `The model's server allows no more requests now (${words}). ${mend}`;
  return new LlmFailure({ code: "llm_rate_limited", message }, !exhausted, retryAfter(headers));
}

function serverFault(status: number, words: string, headers: Headers | undefined): LlmFailure {
  const message = `The model's server failed (${status}: ${words}). Retry the turn later.`;
  return new LlmFailure({ code: "llm_server", message }, true, retryAfter(headers));
}

function refused(words: string, tools: readonly ModelTool[]): LlmFailure {
  const tool = refusedTool(words, tools);
  if (tool === undefined) {
    const message = `The model's server refuses the request: ${words}. Check model, max tokens and the agent's rules.`;
    return new LlmFailure({ code: "llm_bad_request", message }, false);
  }
  const message = `The model's server refuses the schema of the tool ${tool}: ${words}. Mend that schema, or take its source out.`;
  return new LlmFailure({ code: "llm_schema", message, tool }, false);
}

/** OpenAI names the function or `tools[3]`, Anthropic writes `tools.3.`. */
function refusedTool(words: string, tools: readonly ModelTool[]): string | undefined {
  const index = /\btools(?:\[(\d+)\]|\.(\d+)\b)/.exec(words);
  const byIndex = index ? tools[Number(index[1] ?? index[2])]?.name : undefined;
  if (byIndex !== undefined) return byIndex;
  const quoted = [...words.matchAll(/['"`]([A-Za-z0-9_-]{1,64})['"`]/g)].map((match) => match[1]);
  return tools.find((tool) => quoted.includes(tool.name))?.name;
}

/** Errors within a stream have no status, but a type. */
function statusOfBody(body: unknown): number | undefined {
  const inner = isRecord(body) && isRecord(body.error) ? body.error : body;
  if (!isRecord(inner)) return undefined;
  const type = String(inner.type ?? inner.code ?? "");
  if (/overloaded|api_error|server_error|timeout/.test(type)) return 500;
  if (/rate_limit/.test(type)) return 429;
  return /authentication|permission/.test(type) ? 401 : undefined;
}

function wordsOf(cause: VendorError): string {
  const body = isRecord(cause.error) && isRecord(cause.error.error) ? cause.error.error : cause.error;
  if (!isRecord(body) || typeof body.message !== "string") return cause.message;
  const param = typeof body.param === "string" ? ` (${body.param})` : "";
  const code = typeof body.code === "string" ? ` [${body.code}]` : "";
  return body.message + param + code;
}

/** A server may echo what it was sent. */
function scrub(words: string, key: string): string {
  const safe = key === "" ? words : words.replaceAll(key, "••••");
  return safe
    .replace(/\s+/g, " ")
    .replace(/[.\s]+$/, "")
    .slice(0, MAX_WORDS);
}

function retryAfter(headers: Headers | undefined): number | undefined {
  const millis = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(millis)) return Math.max(0, millis);
  const text = headers?.get("retry-after");
  if (!text) return undefined;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
