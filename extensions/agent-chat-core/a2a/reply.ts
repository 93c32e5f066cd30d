/** What an agent answers, in no dialect's words. */
import { AgentFailure } from "../errors.ts";
import { isRecord, recordsOf, textOf } from "../parse.ts";
import { partsText } from "./parts.ts";

export type TaskState =
  | "working"
  | "completed"
  | "input-required"
  | "auth-required"
  | "failed"
  | "canceled"
  | "rejected";

export interface TaskReply {
  kind: "task";
  id: string;
  contextId: string;
  state: TaskState;
  text: string;
}

export type Reply = { kind: "message"; text: string } | TaskReply;

const FINAL: readonly TaskState[] = ["completed", "failed", "canceled", "rejected"];
/** What waits for the caller is no more polled than what is over. */
const RESTING: readonly TaskState[] = [...FINAL, "input-required", "auth-required"];
const MAX_ID = 256;

export function isResting({ state }: TaskReply): boolean {
  return RESTING.includes(state);
}

/** A message or task of either dialect: 1.0 wraps it, 0.3 marks it with `kind`. Throws `a2a_protocol`. */
export function parseReply(result: unknown): Reply {
  if (!isRecord(result)) throw misshapen("its result is no object");
  if (isRecord(result.task)) return parseTask(result.task);
  if (isRecord(result.message)) return parseMessage(result.message);
  if (result.kind === "message" || Array.isArray(result.parts)) return parseMessage(result);
  return parseTask(result);
}

function parseMessage({ parts }: Record<string, unknown>): Reply {
  if (!Array.isArray(parts)) throw misshapen("its message has no parts");
  return { kind: "message", text: partsText(parts) };
}

/** Throws `a2a_protocol`. */
export function parseTask(task: unknown): TaskReply {
  const { id, contextId, status } = isRecord(task) ? task : {};
  if (typeof id !== "string" || id === "" || id.length > MAX_ID) throw misshapen("its task has no id");
  if (!isRecord(task) || !isRecord(status)) throw misshapen("its task has no status");
  const state = stateOf(status.state);
  return {
    kind: "task",
    id,
    contextId: textOf(contextId, MAX_ID),
    state,
    text: taskText(task, status, state),
  };
}

/** `TASK_STATE_INPUT_REQUIRED` of 1.0 and `input-required` of 0.3 are one; what is new to us may yet end. */
function stateOf(value: unknown): TaskState {
  const name = textOf(value)
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  return RESTING.find((state) => state === name) ?? "working";
}

/** Of a completed task its artifacts; otherwise, or where there are none, what it says. */
function taskText(task: Record<string, unknown>, status: Record<string, unknown>, state: TaskState): string {
  const artifacts = state === "completed" ? recordsOf(task.artifacts).map(artifactText).join("\n\n") : "";
  const message = isRecord(status.message) ? partsText(status.message.parts) : "";
  return artifacts || message || lastWords(task.history);
}

function artifactText({ name, parts }: Record<string, unknown>): string {
  const title = textOf(name, 200);
  return title === "" ? partsText(parts) : `${title}:\n${partsText(parts)}`;
}

function lastWords(history: unknown): string {
  const ofAgent = recordsOf(history).findLast(({ role }) => role === "agent" || role === "ROLE_AGENT");
  return ofAgent ? partsText(ofAgent.parts) : "";
}

export function misshapen(what: string): AgentFailure {
  return AgentFailure.of(
    "a2a_protocol",
    `The agent does not speak A2A: ${what}. Check its endpoint, or tell its owner.`,
  );
}
