/** The conversation so far, as the model gets it. */
import { AGENT_LIMITS } from "../limits.ts";
import type { ModelCall, ModelMessage, ModelResult } from "../llm/model.ts";
import { plainText, untrustedText } from "../tools/result-text.ts";
import { interruptedResult } from "../tools/run-call.ts";
import type { AssistantMessage, CallStatus, ToolCallRecord, Turn } from "./session.ts";

/** Results that are our own words. */
const OURS: readonly CallStatus[] = ["denied", "refused", "cancelled"];
const LEFT_OUT = "(an older result, left out for its length)";

/**
 * All turns, the oldest first; every call has its result. Beyond `AGENT_LIMITS.history` bytes the results of older
 * turns are left out, the words stay.
 */
export function conversation(turns: readonly Turn[]): ModelMessage[] {
  let room: number = AGENT_LIMITS.history;
  const newestFirst = turns.toReversed().map((turn) => {
    const messages = turnMessages(turn);
    room -= sizeOf(messages);
    return room < 0 && turn !== turns.at(-1) ? messages.map(withoutResults) : messages;
  });
  return newestFirst.reverse().flat();
}

function turnMessages(turn: Turn): ModelMessage[] {
  return [
    { role: "user", text: turn.text },
    ...turn.messages.flatMap((message) => stepMessages(turn, message)),
  ];
}

function stepMessages(turn: Turn, { text, calls }: AssistantMessage): ModelMessage[] {
  if (text === "" && calls.length === 0) return [];
  const answer: ModelMessage = { role: "assistant", text, calls: calls.map(callOf) };
  if (calls.length === 0) return [answer];
  return [answer, { role: "tool", results: calls.map((call) => resultOf(turn, call)) }];
}

/** Servers refuse a name of other characters, also one that the model made up. */
function callOf({ id, name, args }: ToolCallRecord): ModelCall {
  const legal = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
  return { id, name: legal, args: JSON.stringify(args) };
}

function resultOf(turn: Turn, call: ToolCallRecord): ModelResult {
  const result = call.result ?? interruptedResult();
  const isOurs = call.result === undefined || OURS.includes(call.status);
  const text = isOurs ? plainText(result) : untrustedText(call.name, result, markOf(turn, call));
  return { callId: call.id, text, isError: result.isError === true };
}

/** The same at each request, so that servers can cache; the tool cannot know it (FNV-1a over ids of ours). */
function markOf(turn: Turn, call: ToolCallRecord): string {
  let hash = 0x811c9dc5;
  for (const char of turn.id + call.id) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

function sizeOf(messages: readonly ModelMessage[]): number {
  return JSON.stringify(messages).length;
}

function withoutResults(message: ModelMessage): ModelMessage {
  if (message.role !== "tool") return message;
  return { role: "tool", results: message.results.map((result) => ({ ...result, text: LEFT_OUT })) };
}
