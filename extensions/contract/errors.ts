/** The one table of error codes, the same on every hop (spec chain.md, "Error codes"). Mirrored in Python. */
export const ERROR_CODES = [
  "not_ready",
  "timeout",
  "unknown_tool",
  "cancelled",
  "navigated",
  "too_large",
  "invalid_args",
  "page_error",
  "waiting_for_user",
  "source_disconnected",
  "relay_gone",
  "denied",
  "rate_limited",
  "outcome_unknown",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Whether the tool ran: for a caller the difference between "call again" and "look first". */
export type Executed = "no" | "yes" | "unknown";

/** Key in `_meta` of a CallToolResult that carries `{code, executed}`. */
export const ERROR_META = "webmcp-e2e/error";

/** An error on its way through the chain. `message` is `<what happened>. <what to do>`. */
export interface ChainError {
  code: ErrorCode;
  message: string;
  executed: Executed;
}

/** An MCP tool result, as every hop carries it. Unknown members pass through. */
export interface ToolResult {
  content: unknown[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
  [member: string]: unknown;
}

/** The one MCP shape of an error: `isError`, first text `<code>: <message>`, and `_meta`. */
export function errorResult(error: ChainError): ToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${error.code}: ${error.message}` }],
    _meta: { [ERROR_META]: { code: error.code, executed: error.executed } },
  };
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && (ERROR_CODES as readonly string[]).includes(value);
}

/** An `Error` that carries a ChainError; thrown inside one hop, turned into a result at its edge. */
export class ChainFailure extends Error {
  constructor(readonly error: ChainError) {
    super(`${error.code}: ${error.message}`);
    this.name = "ChainFailure";
  }
  static of(code: ErrorCode, executed: Executed, message: string): ChainFailure {
    return new ChainFailure({ code, executed, message });
  }
}
