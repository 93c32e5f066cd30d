/** A chat on a scripted model. */
import { onTestFinished, vi } from "vitest";
import {
  AgentChat,
  type AgentProfile,
  type AgentTimings,
  type AgentTool,
  type LlmProtocol,
  LlmSettings,
  MemoryStore,
  mergeTools,
  Profiles,
  type Store,
  type ToolCallRecord,
  type Turn,
} from "../../../agent-chat-core/index.ts";
import type { ToolResult } from "../../../contract/errors.ts";
import type { Received } from "./http.ts";
import { type Answer, type ModelServer, startModel } from "./model-server.ts";

export const KEY = "sk-very-secret-key-1234";
export const PROTOCOLS: readonly LlmProtocol[] = ["openai-compat", "anthropic"];

// A machine may be busy: no test is about how fast it is.
vi.setConfig({ testTimeout: 30_000 });

export interface Setup {
  protocol?: LlmProtocol;
  script: Answer[];
  tools?: AgentTool[];
  /** The id of a built-in agent; the one without a limit by default. */
  agent?: string;
  own?: Partial<AgentProfile>;
  store?: Store;
  timings?: Partial<AgentTimings>;
}

export interface Bench {
  chat: AgentChat;
  model: ModelServer;
  store: Store;
  profiles: Profiles;
  llm: LlmSettings;
}

/** Pauses that would only cost the tests time. */
const SHORT: Partial<AgentTimings> = { backoffFirst: 1, backoffMax: 20, abortGrace: 20, saveEvery: 5 };

export async function openBench(setup: Setup): Promise<Bench> {
  const { protocol = "openai-compat", store = new MemoryStore(), tools = [] } = setup;
  const model = await startModel(protocol, setup.script);
  const profiles = await Profiles.open(store);
  const llm = await LlmSettings.open(store);
  const path = protocol === "anthropic" ? "/v1/messages" : "/chat/completions";
  await llm.save({ protocol, baseUrl: model.url, path, model: "model-1", maxTokens: 512 }, KEY);
  await chooseAgent(profiles, setup);
  const timings = { ...SHORT, ...setup.timings };
  const chat = await AgentChat.open({ store, profiles, llm, timings, catalogue: () => mergeTools(tools) });
  onTestFinished(() => chat.close());
  return { chat, model, store, profiles, llm };
}

async function chooseAgent(profiles: Profiles, { agent = "multi-turn-loop", own }: Setup): Promise<void> {
  if (!own) return profiles.activate(agent);
  const base = { id: "own", name: "Own", builtIn: false, rules: "", inheritGlobalRules: true, skills: [] };
  await profiles.save({ ...base, ...own });
  await profiles.activate(own.id ?? "own");
}

export function textResult(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

export interface ScriptedTool extends AgentTool {
  /** Arguments of each call, in the order in which they came. */
  calls: Record<string, unknown>[];
}

/** A page tool that answers with `answer`; any member can be replaced. */
export function scriptedTool(
  name: string,
  answer: AgentTool["call"],
  more: Partial<AgentTool> = {},
): ScriptedTool {
  const calls: Record<string, unknown>[] = [];
  const tool: AgentTool = {
    name,
    kind: "page",
    source: "Order desk",
    description: `the tool ${name}`,
    inputSchema: { type: "object" },
    call: (args, options) => {
      calls.push(args);
      return answer(args, options);
    },
    ...more,
  };
  return { ...tool, calls };
}

/** The last messages of a request, as they were sent. */
export function lastMessages(received: Received | undefined, count: number): Record<string, unknown>[] {
  return (received?.body.messages as Record<string, unknown>[] | undefined)?.slice(-count) ?? [];
}

export function lastTurn(chat: AgentChat): Turn {
  const turn = chat.state.session.turns.at(-1);
  if (!turn) throw new Error("there is no turn");
  return turn;
}

export function callsOf(chat: AgentChat): ToolCallRecord[] {
  return lastTurn(chat).messages.flatMap(({ calls }) => calls);
}

/** Text of a call's result. */
export function resultText(call: ToolCallRecord | undefined): string {
  const [block] = (call?.result?.content ?? []) as { text?: string }[];
  return block?.text ?? "";
}

/** Waits until the condition holds; fails with its own words after 10 s. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`never: ${what}`);
    },
    { timeout: 10_000, interval: 2 },
  );
}
