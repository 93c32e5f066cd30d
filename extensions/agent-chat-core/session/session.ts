/** What is shown and stored of a conversation. Everything is replaced, never changed in place: compare by identity. */
import type { ToolResult } from "../../contract/errors.ts";
import type { AgentProblem } from "../errors.ts";
import type { ToolBadge, ToolKind } from "../tools/tool.ts";

/**
 * `pending` not begun · `consent` the user is asked, see `AgentChat.answerConsent` · `running` · `done` a result, also
 * one with `isError` · `denied` by the user · `refused` never ran (unknown tool, bad arguments, agent's limit) ·
 * `cancelled` stopped before it began · `outcome_unknown` began, and nobody knows how it ended.
 */
export type CallStatus =
  | "pending"
  | "consent"
  | "running"
  | "done"
  | "denied"
  | "refused"
  | "cancelled"
  | "outcome_unknown";

export interface ToolCallRecord {
  /** Unique in the session; the model's own id where that is. */
  id: string;
  name: string;
  kind: ToolKind;
  badge: ToolBadge;
  /** Where the tool comes from, for people. Untrusted. */
  source: string;
  args: Record<string, unknown>;
  /** The model's text where it is no JSON object; `args` is `{}` then. */
  badArgs?: string;
  status: CallStatus;
  /** At most `AGENT_LIMITS.storedResult`. Untrusted. */
  result?: ToolResult;
  /** The result was too big to be kept whole. */
  resultCut?: boolean;
  /** Epoch milliseconds. */
  startedAt?: number;
  /** Milliseconds; the wait for consent is not in it. */
  duration?: number;
}

/** One answer of the model. `streaming`: more may come. */
export interface AssistantMessage {
  status: "streaming" | "done" | "interrupted";
  /** Markdown. Untrusted. */
  text: string;
  /** In the model's order. */
  calls: readonly ToolCallRecord[];
  /** The model stopped because of max tokens. */
  cut?: boolean;
}

/** `stopped` by the user · `interrupted` its document closed · `error` see `Turn.error`. */
export type TurnStatus = "running" | "done" | "stopped" | "interrupted" | "error";

/** The model's server asked for patience. */
export interface Backoff {
  code: "llm_rate_limited" | "llm_server" | "llm_network";
  /** Tries made so far, and how many there are. */
  tries: number;
  of: number;
  /** Epoch milliseconds of the next try. */
  nextTryAt: number;
}

/** What the user wrote and everything that came of it. */
export interface Turn {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  /** The user's words. */
  text: string;
  agent: { id: string; name: string };
  /** The model's name. */
  model: string;
  status: TurnStatus;
  messages: readonly AssistantMessage[];
  /** Tools that the model was not told of, because its server takes no more. */
  toolsLeftOut?: number;
  /** While it waits between two tries. */
  backoff?: Backoff;
  error?: AgentProblem;
}

export interface SessionSummary {
  id: string;
  title: string;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

export interface Session extends SessionSummary {
  turns: readonly Turn[];
}
