/** One call of an agent's tool: send, poll, and the outcome as a tool result. */
import { ERROR_META, type Executed, type ToolResult } from "../../contract/errors.ts";
import { type AgentErrorCode, AgentFailure, problemOf } from "../errors.ts";
import { AGENT_LIMITS } from "../limits.ts";
import type { AgentTimings } from "../timings.ts";
import { pause } from "../waiting.ts";
import type { A2aCard } from "./binding.ts";
import type { Requester } from "./http.ts";
import { isResting, type Reply, type TaskReply } from "./reply.ts";
import { cancelTask, getTask, type Outgoing, sendMessage } from "./rpc.ts";

export interface TaskOptions {
  card: A2aCard;
  token: string;
  fetch: typeof fetch;
  /** Aborted by the caller, or at the task's deadline. */
  signal: AbortSignal;
  timings: AgentTimings;
}

/** Requests that may fail in a row before polling is given up. */
const FAILED_POLLS = 3;

/**
 * Sends a message and follows its task until it rests. Throws the signal's reason, an AgentFailure where sending or
 * polling fails for good, and `a2a_timeout` after `AGENT_LIMITS.a2aPolls` polls. An aborted task is cancelled remotely.
 */
export async function followTask(outgoing: Outgoing, options: TaskOptions): Promise<Reply> {
  const { card, timings } = options;
  const first = await sendMessage(card, outgoing, requester(options, timings.a2aTask));
  if (first.kind === "message" || isResting(first)) return first;
  try {
    return await poll(first, options);
  } catch (cause) {
    if (options.signal.aborted) tellCancelled(first, options);
    throw cause;
  }
}

async function poll(first: TaskReply, options: TaskOptions): Promise<TaskReply> {
  let failures = 0;
  for (let polls = 0; polls < AGENT_LIMITS.a2aPolls; polls++) {
    await pause(options.timings.a2aPoll, options.signal);
    try {
      const task = await getTask(options.card, first.id, requester(options, options.timings.a2aRequest));
      if (isResting(task)) return task;
      failures = 0;
    } catch (cause) {
      failures += 1;
      if (failures === FAILED_POLLS || !mayPass(cause)) throw cause;
    }
  }
  throw unfinished(first.id);
}

function mayPass(cause: unknown): boolean {
  return cause instanceof AgentFailure && ["a2a_network", "a2a_timeout"].includes(cause.problem.code);
}

function unfinished(id: string): AgentFailure {
  return AgentFailure.of(
    "a2a_timeout",
    `The agent has not finished its task ${id} in time; it may go on there. Ask for less at a time.`,
  );
}

/** Nobody waits for the answer: it only ends what would run on for nothing. */
function tellCancelled({ id }: TaskReply, options: TaskOptions): void {
  const own = { ...options, signal: new AbortController().signal };
  void cancelTask(options.card, id, requester(own, options.timings.a2aRequest)).catch(() => {});
}

function requester({ token, fetch, signal }: TaskOptions, timeout: number): Requester {
  return { token, fetch, signal, timeout };
}

/** The agent's words; where it waits for input, how to go on. */
export function replyResult(reply: Reply): ToolResult {
  const text = reply.text || "(the agent said nothing)";
  if (reply.kind === "message" || reply.state === "completed") return textResult(text);
  if (reply.state === "input-required") {
    const next = `[The agent waits for input. To go on, call this tool again with taskId ${JSON.stringify(reply.id)}.]`;
    return {
      ...textResult(`${text}\n\n${next}`),
      structuredContent: { state: reply.state, taskId: reply.id },
    };
  }
  if (reply.state === "auth-required") {
    return failureResult(
      "a2a_auth",
      "yes",
      `The agent asks for credentials: ${text}. Settle that with its owner.`,
    );
  }
  return failureResult(
    "a2a_failed",
    "yes",
    `The task was ${reply.state}: ${text}. Change the task, or ask the user.`,
  );
}

/** `executed`: whether the agent may have worked on the task. */
export function thrownResult(cause: unknown, executed: Executed): ToolResult {
  const { code, message } = problemOf(cause);
  return failureResult(code, executed, message);
}

function textResult(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

export function failureResult(
  code: AgentErrorCode | "cancelled",
  executed: Executed,
  message: string,
): ToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${code}: ${message}` }],
    _meta: { [ERROR_META]: { code, executed } },
  };
}
