/** The tool-use loop: model, tool calls, results, model… until an answer without calls. */
import type { ToolResult } from "../../contract/errors.ts";
import { AgentFailure } from "../errors.ts";
import { AGENT_LIMITS } from "../limits.ts";
import type { LlmProtocol } from "../llm/config.ts";
import type { ModelMessage, ModelRequest, ModelStream, ModelTool } from "../llm/model.ts";
import { cleanSchema } from "../schema/clean.ts";
import type { TurnDraft } from "../session/draft.ts";
import type { ToolCallRecord, Turn } from "../session/session.ts";
import type { AgentTimings } from "../timings.ts";
import type { ToolCatalogue } from "../tools/catalogue.ts";
import { offeredTools } from "../tools/offered.ts";
import { type CallEnvironment, outOfSteps, overLimit, refusal, runCall } from "../tools/run-call.ts";
import type { AgentTool } from "../tools/tool.ts";
import { askModel } from "./ask-model.ts";

export interface TurnEnvironment {
  protocol: LlmProtocol;
  stream: ModelStream;
  system: string;
  /** Tool calls of one turn. */
  callsPerTurn?: number | undefined;
  catalogue: () => ToolCatalogue;
  /** The conversation with this turn as it stands. */
  history: (turn: Turn) => ModelMessage[];
  takenIds: Set<string>;
  signal: AbortSignal;
  timings: AgentTimings;
  consent: CallEnvironment["consent"];
  /** Resolves when the turn as it stands is stored: no call begins before. */
  stored: () => Promise<void>;
}

/** Runs until the final answer. Throws what ends the turn otherwise: an AgentFailure, or the signal's reason. */
export async function runTurn(draft: TurnDraft, environment: TurnEnvironment): Promise<void> {
  for (let step = 1; step <= AGENT_LIMITS.steps; step++) {
    const catalogue = environment.catalogue();
    const offered = offeredTools(catalogue.tools, environment.protocol);
    tellLeftOut(draft, catalogue.tools.length - offered.length);
    const request = requestOf(draft.turn, offered, environment);
    await askModel(draft, request, { ...environment, catalogue });
    const calls = draft.lastMessage?.calls ?? [];
    if (calls.length === 0) return;
    await environment.stored();
    await runCalls(draft, calls, environment, step === AGENT_LIMITS.steps);
    environment.signal.throwIfAborted();
  }
  throw AgentFailure.of(
    "step_limit",
    `The agent used up its ${AGENT_LIMITS.steps} steps without an answer. Retry to let it go on, or ask for less at a time.`,
  );
}

function tellLeftOut(draft: TurnDraft, count: number): void {
  if (count > 0 && draft.turn.toolsLeftOut !== count) draft.set({ toolsLeftOut: count });
}

function requestOf(turn: Turn, tools: readonly AgentTool[], environment: TurnEnvironment): ModelRequest {
  const { protocol, system, history, callsPerTurn } = environment;
  const leftOut = turn.toolsLeftOut ?? 0;
  return {
    system: leftOut > 0 ? `${system}\n\n${leftOutSentence(leftOut)}` : system,
    messages: history(turn),
    tools: tools.map((tool) => modelTool(tool, protocol)),
    mayCall: callsPerTurn === undefined || callsMade(turn) < callsPerTurn,
  };
}

function leftOutSentence(count: number): string {
  return `${count} more tools of the open pages are not listed, for there is no room. If you miss one, ask the user to select fewer tabs.`;
}

/** Descriptions are bounded where they come in; some servers take no more than this many characters. */
const MAX_DESCRIPTION = 1_024;

function modelTool({ name, title, description, inputSchema }: AgentTool, protocol: LlmProtocol): ModelTool {
  const words = (description || title || name).slice(0, MAX_DESCRIPTION);
  return { name, description: words, schema: cleanSchema(inputSchema, protocol) };
}

/** Refused calls do not count: they did nothing. */
function callsMade(turn: Turn): number {
  return turn.messages.flatMap(({ calls }) => calls).filter(({ status }) => !isUnused(status)).length;
}

function isUnused(status: ToolCallRecord["status"]): boolean {
  return status === "refused" || status === "pending";
}

/** All calls of one step together; each has its result when this resolves, also after an abort. */
async function runCalls(
  draft: TurnDraft,
  calls: readonly ToolCallRecord[],
  environment: TurnEnvironment,
  isLastStep: boolean,
): Promise<void> {
  const { tools } = environment.catalogue();
  const refusals = refusalsOf(draft.turn, calls, environment.callsPerTurn, isLastStep);
  const run = (call: ToolCallRecord, index: number) => {
    const update: CallEnvironment["update"] = (change) => draft.setCall(call.id, change);
    const refused = refusals[index];
    if (refused) return update(refusal(refused));
    const tool = tools.find(({ name }) => name === call.name);
    return runCall(call, tool, { ...environment, update });
  };
  await Promise.all(calls.map(run));
}

/** For each call why it may not run, if it may not. */
function refusalsOf(
  turn: Turn,
  calls: readonly ToolCallRecord[],
  callsPerTurn: number | undefined,
  isLastStep: boolean,
): (ToolResult | undefined)[] {
  if (isLastStep) return calls.map(outOfSteps);
  if (callsPerTurn === undefined) return calls.map(() => undefined);
  const left = callsPerTurn - callsMade(turn);
  return calls.map((_, index) => (index < left ? undefined : overLimit(callsPerTurn)));
}
