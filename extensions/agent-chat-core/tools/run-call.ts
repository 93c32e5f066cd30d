/** One call of the model, from its words to its result. */
import { type ErrorCode, type Executed, errorResult, type ToolResult } from "../../contract/errors.ts";
import type { CallStatus, ToolCallRecord } from "../session/session.ts";
import type { AgentTimings } from "../timings.ts";
import { argumentProblem } from "./arguments.ts";
import { type CallEnd, callWithin } from "./deadline.ts";
import { executedOf, isOutcomeUnknown, type StoredResult, storedResult } from "./stored-result.ts";
import { type AgentTool, isConsequential } from "./tool.ts";

export interface CallEnvironment {
  signal: AbortSignal;
  timings: Pick<AgentTimings, "tool" | "abortGrace">;
  /** What changes of the record. */
  update: (change: Partial<ToolCallRecord>) => void;
  /** Asks the user; rejects when the signal is aborted. */
  consent: (call: ToolCallRecord, tool: AgentTool) => Promise<boolean>;
}

/** Runs one call and records how it ended. Never rejects. `tool`: the one of that name, if there is one. */
export async function runCall(
  call: ToolCallRecord,
  tool: AgentTool | undefined,
  environment: CallEnvironment,
): Promise<void> {
  const problem = tool ? problemOf(call, tool) : unknownTool(call.name);
  if (problem || !tool) return environment.update(refusal(problem));
  if (environment.signal.aborted) return environment.update(cancelled());
  if (!isConsequential(tool)) return execute(call, tool, environment);
  environment.update({ status: "consent" });
  const answer = await environment.consent(call, tool).catch(() => undefined);
  if (answer === true) return execute(call, tool, environment);
  environment.update(answer === false ? denied() : cancelled());
}

async function execute(call: ToolCallRecord, tool: AgentTool, environment: CallEnvironment): Promise<void> {
  const { signal, timings, update } = environment;
  const startedAt = Date.now();
  update({ status: "running", startedAt });
  const deadline = tool.deadline ?? timings.tool;
  const end = await callWithin(tool, call.args, { signal, deadline, grace: timings.abortGrace });
  update({ ...outcomeOf(end, deadline), duration: Date.now() - startedAt });
}

function outcomeOf(end: CallEnd, deadline: number): StoredResult & { status: CallStatus } {
  const stored = storedResult(end.how === "result" ? end.result : cutOffResult(end, deadline));
  return { status: isOutcomeUnknown(stored.result) ? "outcome_unknown" : "done", ...stored };
}

const CHECK = "Check what it did before you repeat the call.";

function cutOffResult(end: Exclude<CallEnd, { how: "result" }>, deadline: number): ToolResult {
  if (end.how === "timeout") return timedOut(deadline, executedOf(end.said) ?? "unknown");
  if (end.how === "stopped") return failed("cancelled", "unknown", `The user stopped the call. ${CHECK}`);
  return failed("outcome_unknown", "unknown", `The call broke off (${end.words.slice(0, 500)}). ${CHECK}`);
}

function timedOut(deadline: number, executed: Executed): ToolResult {
  const mend = executed === "no" ? "It did nothing; call again later." : CHECK;
  return failed("timeout", executed, `The tool gave no result within ${deadline / 1000} s. ${mend}`);
}

/** Of a call that was under way when the panel closed. */
export function interruptedResult(): ToolResult {
  return failed("outcome_unknown", "unknown", `The panel closed before there was a result. ${CHECK}`);
}

/** A call that does not run, for a reason that the model is told. */
export function refusal(result: ToolResult | undefined): Partial<ToolCallRecord> {
  return { status: "refused", ...(result ? { result } : {}) };
}

export function overLimit(limit: number): ToolResult {
  const tools = limit === 1 ? "one tool" : `${limit} tools`;
  return failed("denied", "no", `This agent calls ${tools} a turn. Answer with what you have.`);
}

export function outOfSteps(): ToolResult {
  return failed("denied", "no", "The turn has no step left. Answer with what you have.");
}

function unknownTool(name: string): ToolResult {
  return failed("unknown_tool", "no", `There is no tool "${name.slice(0, 100)}". Choose one of the list.`);
}

function problemOf({ args, badArgs, name }: ToolCallRecord, tool: AgentTool): ToolResult | undefined {
  if (badArgs !== undefined) {
    return failed(
      "invalid_args",
      "no",
      "The arguments are no JSON object. Write one object by parameter name.",
    );
  }
  const problem = argumentProblem(tool.inputSchema, args);
  if (problem === undefined) return undefined;
  const message = `The arguments do not fit ${name}: ${problem}. Read its schema and call again.`;
  return failed("invalid_args", "no", message);
}

function denied(): Partial<ToolCallRecord> {
  const message = "The user does not allow this call. Do not repeat it; ask what to do instead.";
  return { status: "denied", result: failed("denied", "no", message) };
}

function cancelled(): Partial<ToolCallRecord> {
  const message = "The user stopped the turn before the call began. It did nothing.";
  return { status: "cancelled", result: failed("cancelled", "no", message) };
}

function failed(code: ErrorCode, executed: Executed, message: string): ToolResult {
  return errorResult({ code, executed, message });
}
