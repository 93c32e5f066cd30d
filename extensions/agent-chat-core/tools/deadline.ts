/** One tool call within its deadline. */
import { isRecord } from "../parse.ts";
import { pause } from "../waiting.ts";
import type { AgentTool } from "./tool.ts";

/**
 * `result` also one that came after the abort, but within the grace · `timeout` the deadline passed, `said` what the
 * tool answered to the abort · `stopped` the outer signal · `threw` the tool did, with its words.
 */
export type CallEnd =
  | { how: "result"; result: unknown }
  | { how: "timeout"; said?: unknown }
  | { how: "stopped" }
  | { how: "threw"; words: string };

export interface DeadlineOptions {
  signal: AbortSignal;
  /** Milliseconds. */
  deadline: number;
  /** Milliseconds that an aborted tool still has to say how it ended. */
  grace: number;
}

/**
 * Runs the tool. Its signal is aborted with the outer one or at the deadline; what it then says within the grace
 * counts, and what it says later is ignored. Never rejects.
 */
export async function callWithin(
  tool: AgentTool,
  args: Record<string, unknown>,
  { signal, deadline, grace }: DeadlineOptions,
): Promise<CallEnd> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), deadline);
  const either = AbortSignal.any([signal, limit.signal]);
  const over = new AbortController();
  try {
    const outcome = settled(tool, args, either, () => cutOff(signal));
    return await Promise.race([outcome, afterAbort(either, grace, over.signal, () => cutOff(signal))]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

function cutOff(outer: AbortSignal): CallEnd {
  return outer.aborted ? { how: "stopped" } : { how: "timeout" };
}

async function settled(
  tool: AgentTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
  end: () => CallEnd,
): Promise<CallEnd> {
  try {
    const result = await tool.call(args, { signal });
    // "Cancelled" is true for the tool, but what cancelled it was the deadline.
    const isCutOff = signal.aborted && isRecord(result) && result.isError === true;
    return isCutOff && end().how === "timeout" ? { how: "timeout", said: result } : { how: "result", result };
  } catch (cause) {
    if (signal.aborted) return end();
    return { how: "threw", words: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Resolves `grace` after the abort; never where `over` comes first. */
function afterAbort(
  signal: AbortSignal,
  grace: number,
  over: AbortSignal,
  end: () => CallEnd,
): Promise<CallEnd> {
  return new Promise((resolve) => {
    const begin = () =>
      void pause(grace, over).then(
        () => resolve(end()),
        () => {},
      );
    if (signal.aborted) begin();
    else signal.addEventListener("abort", begin, { once: true, signal: over });
  });
}
