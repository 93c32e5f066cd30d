/** Tool results: data as structured content, failures in the chain's one shape. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ErrorCode, type Executed, errorResult } from "../../contract/errors.ts";

/** The data, for programs and as text for models. */
export function dataResult(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(data, null, 1) }], structuredContent: data };
}

/** A business failure: a successful MCP call with `isError`. `message` is `<what happened>. <what to do>`. */
export function failureResult(code: ErrorCode, message: string, executed: Executed = "no"): CallToolResult {
  return errorResult({ code, message, executed }) as CallToolResult;
}
