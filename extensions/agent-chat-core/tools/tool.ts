/** Tools as the agent sees them, whoever runs them. */
import type { ToolResult } from "../../contract/errors.ts";

/**
 * `page` `tab<id>__*` · `builtin` `chrome_extension_*` · `provider` `ext__<ns>__*` · `a2a` `a2a__<id>__send_task`.
 */
export type ToolKind = "page" | "builtin" | "provider" | "a2a";

/** What the trace shows beside a call. */
export type ToolBadge = "TOOL" | "EXT" | "A2A";

export interface CallOptions {
  /** Aborted when the user stops, the panel closes or the deadline passes. */
  signal: AbortSignal;
}

export interface AgentTool {
  /** Public name, as the model calls it: `[A-Za-z0-9_-]{1,64}`. */
  name: string;
  kind: ToolKind;
  /** Where it comes from, for people: a tab's title, a provider's name, an agent's id. Untrusted. */
  source: string;
  title?: string;
  /** Untrusted. */
  description?: string;
  /** JSON Schema of the arguments, as its owner gave it. Untrusted. */
  inputSchema: Record<string, unknown>;
  /** MCP annotations: `destructiveHint`, `readOnlyHint`… and `consequential`. Untrusted. */
  annotations?: Record<string, unknown>;
  /** A tool of another deadline than `AGENT_TIMINGS.tool`, in milliseconds. */
  deadline?: number;
  /** Errors are results with `isError`. A rejection is taken as one, with the code `outcome_unknown`. */
  call(args: Record<string, unknown>, options: CallOptions): Promise<ToolResult>;
}

export function badgeOf(kind: ToolKind): ToolBadge {
  if (kind === "a2a") return "A2A";
  return kind === "provider" ? "EXT" : "TOOL";
}

/** Whether the user is asked before it runs. */
export function isConsequential(tool: AgentTool): boolean {
  return tool.annotations?.destructiveHint === true || tool.annotations?.consequential === true;
}
