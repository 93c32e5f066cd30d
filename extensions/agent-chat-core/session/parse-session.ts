/** Stored sessions, validated. What the core did not write itself is not shown. */
import type { ToolResult } from "../../contract/errors.ts";
import { AGENT_ERROR_CODES, type AgentProblem } from "../errors.ts";
import { isCount, isOneOf, isRecord, recordsOf, textOf } from "../parse.ts";
import { interruptedResult } from "../tools/run-call.ts";
import { badgeOf } from "../tools/tool.ts";
import type { AssistantMessage, SessionSummary, ToolCallRecord, Turn } from "./session.ts";

const TURN_STATUS = ["running", "done", "stopped", "interrupted", "error"] as const;
const CALL_STATUS = ["done", "denied", "refused", "cancelled", "outcome_unknown"] as const;
const KINDS = ["page", "builtin", "provider", "a2a"] as const;

/** What is stored of a session beside its turns. */
export interface SessionHeader extends SessionSummary {
  /** In their order. */
  turnIds: string[];
}

export function parseSummary(stored: unknown): SessionSummary | undefined {
  if (!isRecord(stored) || typeof stored.id !== "string") return undefined;
  const { id, title, createdAt, updatedAt } = stored;
  return { id, title: textOf(title), createdAt: timeOf(createdAt), updatedAt: timeOf(updatedAt) };
}

export function parseHeader(stored: unknown): SessionHeader | undefined {
  const summary = parseSummary(stored);
  if (!summary || !isRecord(stored) || !Array.isArray(stored.turnIds)) return undefined;
  return { ...summary, turnIds: stored.turnIds.filter((id) => typeof id === "string") };
}

/**
 * A stored turn. One that was running stands as `interrupted`: nobody knows how its calls without a result ended, not
 * even of those that had not begun when it was stored last.
 */
export function parseTurn(stored: unknown): Turn | undefined {
  if (!isRecord(stored) || typeof stored.id !== "string" || typeof stored.text !== "string") return undefined;
  const agent = isRecord(stored.agent) ? stored.agent : {};
  const status = isOneOf(TURN_STATUS, stored.status) ? stored.status : "interrupted";
  const error = parseProblem(stored.error);
  return {
    id: stored.id,
    at: timeOf(stored.at),
    text: stored.text,
    agent: { id: textOf(agent.id), name: textOf(agent.name) },
    model: textOf(stored.model),
    status: status === "running" ? "interrupted" : status,
    messages: recordsOf(stored.messages).map(parseMessage),
    ...(isCount(stored.toolsLeftOut) ? { toolsLeftOut: stored.toolsLeftOut } : {}),
    ...(error ? { error } : {}),
  };
}

function parseMessage(stored: Record<string, unknown>): AssistantMessage {
  return {
    status: stored.status === "done" ? "done" : "interrupted",
    text: textOf(stored.text),
    calls: recordsOf(stored.calls).flatMap(parseCall),
    ...(stored.cut === true ? { cut: true } : {}),
  };
}

function parseCall(stored: Record<string, unknown>): ToolCallRecord[] {
  if (typeof stored.id !== "string" || typeof stored.name !== "string") return [];
  const kind = isOneOf(KINDS, stored.kind) ? stored.kind : "page";
  const base = {
    id: stored.id,
    name: stored.name,
    kind,
    badge: badgeOf(kind),
    source: textOf(stored.source),
    args: isRecord(stored.args) ? stored.args : {},
    ...(typeof stored.badArgs === "string" ? { badArgs: stored.badArgs } : {}),
    ...(typeof stored.startedAt === "number" ? { startedAt: stored.startedAt } : {}),
  };
  return [{ ...base, ...outcomeOf(stored) }];
}

function outcomeOf(stored: Record<string, unknown>): Pick<ToolCallRecord, "status" | "result"> {
  const { status, result, resultCut, duration } = stored;
  if (!isOneOf(CALL_STATUS, status) || !isResult(result)) {
    return { status: "outcome_unknown", result: interruptedResult() };
  }
  return {
    status,
    result,
    ...(resultCut === true ? { resultCut } : {}),
    ...(typeof duration === "number" ? { duration } : {}),
  };
}

function isResult(value: unknown): value is ToolResult {
  return isRecord(value) && Array.isArray(value.content);
}

function parseProblem(stored: unknown): AgentProblem | undefined {
  if (!isRecord(stored) || !isOneOf(AGENT_ERROR_CODES, stored.code)) return undefined;
  const tool = textOf(stored.tool);
  return { code: stored.code, message: textOf(stored.message), ...(tool === "" ? {} : { tool }) };
}

function timeOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
