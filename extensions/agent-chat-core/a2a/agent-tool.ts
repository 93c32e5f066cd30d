/** `a2a__<id>__send_task`. */
import type { ToolResult } from "../../contract/errors.ts";
import { AgentFailure } from "../errors.ts";
import { textOf } from "../parse.ts";
import type { AgentTimings } from "../timings.ts";
import type { AgentTool, CallOptions } from "../tools/tool.ts";
import type { A2aCard } from "./binding.ts";
import type { TaskQueues } from "./queue.ts";
import { failureResult, followTask, replyResult, thrownResult } from "./send-task.ts";

export interface AgentToolOptions {
  id: string;
  card: A2aCard;
  token: string;
  fetch: typeof fetch;
  timings: AgentTimings;
  queues: TaskQueues;
  /** Aborted when the binding goes. */
  gone: AbortSignal;
  /** Task id → context id, of tasks that wait for input. */
  contexts: Map<string, string>;
}

/** More than its own deadline, so that its own words come first. */
const DEADLINE_MARGIN = 5_000;
/** Contexts remembered for each agent. */
const MAX_CONTEXTS = 100;
const MAX_DESCRIPTION = 1_000;

const INPUT_SCHEMA = {
  type: "object",
  properties: {
    task: {
      type: "string",
      minLength: 1,
      description: "Everything that the agent needs to know: the question, and the data itself.",
    },
    taskId: {
      type: "string",
      minLength: 1,
      description: "Only to answer a task that waits for input: its id.",
    },
  },
  required: ["task"],
  additionalProperties: false,
};

export function agentTool(options: AgentToolOptions): AgentTool {
  const { id, card, timings } = options;
  return {
    name: `a2a__${id}__send_task`,
    kind: "a2a",
    source: id,
    title: card.name,
    description: descriptionOf(card),
    inputSchema: INPUT_SCHEMA,
    deadline: timings.a2aTask + DEADLINE_MARGIN,
    call: (args, callOptions) => callAgent(args, callOptions, options),
  };
}

function descriptionOf({ name, description, skills }: A2aCard): string {
  const known = skills.map((skill) => skill.name || skill.id).join(", ");
  const text = `Gives a task to the remote agent "${name}". ${description}${known === "" ? "" : ` Skills: ${known}.`}`;
  return text.slice(0, MAX_DESCRIPTION);
}

/** Its deadline counts from here: the wait for the agent's other tasks is in it. */
async function callAgent(
  args: Record<string, unknown>,
  { signal }: CallOptions,
  options: AgentToolOptions,
): Promise<ToolResult> {
  const limit = AbortSignal.timeout(options.timings.a2aTask);
  const either = AbortSignal.any([signal, limit, options.gone]);
  let begun = false;
  const task = () => {
    begun = true;
    return sendAndRemember(args, either, options);
  };
  try {
    return await options.queues.run(options.id, either, task);
  } catch (cause) {
    return cutOff(cause, begun, { signal, limit, options });
  }
}

interface Signals {
  signal: AbortSignal;
  limit: AbortSignal;
  options: AgentToolOptions;
}

/** Of a call that did not come to the agent's answer. */
function cutOff(cause: unknown, begun: boolean, { signal, limit, options }: Signals): ToolResult {
  const executed = begun ? "unknown" : "no";
  if (signal.aborted)
    return failureResult("cancelled", executed, "The call was stopped. Ask the user how to go on.");
  if (options.gone.aborted) return thrownResult(removed(options.id), executed);
  return thrownResult(limit.aborted ? outOfTime(begun, options) : cause, executed);
}

function removed(id: string): AgentFailure {
  return AgentFailure.of(
    "a2a_failed",
    `The agent ${id} was removed or changed while it worked. Ask the user.`,
  );
}

async function sendAndRemember(
  args: Record<string, unknown>,
  signal: AbortSignal,
  { card, token, fetch, timings, contexts }: AgentToolOptions,
): Promise<ToolResult> {
  const taskId = textOf(args.taskId) || undefined;
  const contextId = taskId === undefined ? undefined : contexts.get(taskId);
  const outgoing = { text: textOf(args.task), taskId, contextId };
  const reply = await followTask(outgoing, { card, token, fetch, signal, timings });
  if (reply.kind === "task" && reply.contextId !== "") remember(contexts, reply.id, reply.contextId);
  return replyResult(reply);
}

function remember(contexts: Map<string, string>, taskId: string, contextId: string): void {
  contexts.set(taskId, contextId);
  const oldest = contexts.keys().next();
  if (contexts.size > MAX_CONTEXTS && !oldest.done) contexts.delete(oldest.value);
}

function outOfTime(begun: boolean, { id, timings }: AgentToolOptions): AgentFailure {
  const seconds = timings.a2aTask / 1000;
  return begun
    ? AgentFailure.of(
        "a2a_timeout",
        `The agent ${id} did not finish within ${seconds} s. Ask for less at a time.`,
      )
    : AgentFailure.of(
        "a2a_busy",
        `The agent ${id} was busy with another task for ${seconds} s. Call again when it is done.`,
      );
}
