/** From what `executeTool` gives to MCP's tool result (spec chain.md §1, "Results"). */
import { type ChainError, errorResult, type ToolResult } from "../../contract/errors.ts";
import { isRecord } from "../../contract/tab-channel.ts";

/** How the runtimes begin the message of a tool that threw; the polyfill appends the page's own message. */
const THREW = "Tool was executed but the invocation failed";

/** `value` is JSON text for objects, plain text for anything else, `"undefined"` for nothing (measured). */
export function toToolResult(value: unknown): ToolResult {
  if (value === undefined || value === "undefined") return { content: [] };
  const object = typeof value === "string" ? parsedObject(value) : isRecord(value) ? value : undefined;
  if (object === undefined) return textResult(String(value));
  if (Array.isArray(object.content)) return object as ToolResult;
  return { ...textResult(JSON.stringify(object)), structuredContent: object };
}

export function textResult(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The result of a rejected `executeTool`; a tool that threw has run, of anything else nobody can tell. */
export function failureResult(tool: string, error: unknown): ToolResult {
  const message = error instanceof Error || error instanceof DOMException ? error.message : String(error);
  const threw = message.startsWith(THREW);
  const own = /threw an error: (.+)$/s.exec(message)?.[1];
  return errorResult({
    code: "page_error",
    executed: threw ? "yes" : "unknown",
    message: `the page's tool ${tool} failed: ${own ?? message}. Read the message, and check the page before you repeat.`,
  });
}

export function navigatedResult(tool: string, url: string): ToolResult {
  return errorResult({
    code: "navigated",
    executed: "unknown",
    message: `the page navigated to ${url} while the tool ${tool} ran. Check before you repeat.`,
  });
}

export function waitingResult(tool: string, milliseconds: number): ToolResult {
  const seconds = Math.round(milliseconds / 1000);
  return errorResult({
    code: "waiting_for_user",
    executed: "no",
    message: `the form of ${tool} was filled in but nobody submitted it within ${seconds} s. Ask the person to look at the page, then call again.`,
  });
}

export function refusal(error: ChainError): ToolResult {
  return errorResult(error);
}
