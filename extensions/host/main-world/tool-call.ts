/** One execution of one tool. */
import { errorResult, type ToolResult } from "../../contract/errors.ts";
import { formOfTool, isAutosubmit, SUBMITTED_TEXT } from "../document/forms.ts";
import { inputShape } from "./input-shape.ts";
import { type ModelContext, type RegisteredTool, windowOf } from "./model-context.ts";
import type { PageTools } from "./page-tools.ts";
import { failureResult, navigatedResult, textResult, toToolResult, waitingResult } from "./results.ts";

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
  /** Aborted by the caller's cancellation; reaches the page's `execute`. */
  signal: AbortSignal;
  /** How long a form without autosubmit may stay open, in milliseconds. */
  formWait: number;
}

/** Never rejects: every failure is an MCP result with its code. The tool is executed at most once. */
export async function callTool(tools: PageTools, call: ToolCall): Promise<ToolResult> {
  const found = await tools.find(call.name);
  if (!found) return unknownTool(call.name);
  const { registered } = found.tool;
  const shape = await inputShape(found.context, registered);
  if (call.signal.aborted) return cancelledResult(call.name);
  const input = shape === "object" ? call.args : JSON.stringify(call.args);
  return await execute(found.context, registered, input, call);
}

async function execute(
  context: ModelContext,
  tool: RegisteredTool,
  input: unknown,
  call: ToolCall,
): Promise<ToolResult> {
  const form = formOfTool(documentOf(tool), tool.name);
  const autosubmit = form !== undefined && isAutosubmit(form);
  const patience = new Patience(form && !autosubmit ? call.formWait : undefined);
  try {
    const signal = AbortSignal.any([call.signal, patience.signal]);
    const value = await context.executeTool(tool, input, { signal });
    if (isNothing(value) && autosubmit) return textResult(SUBMITTED_TEXT);
    return value === null ? navigatedResult(call.name, form?.action ?? urlOf(tool)) : toToolResult(value);
  } catch (error) {
    return patience.signal.aborted
      ? waitingResult(call.name, call.formWait)
      : failureResult(call.name, error);
  } finally {
    patience.end();
  }
}

/** Native gives `null` for a form whose document navigates, the polyfill nothing. */
function isNothing(value: unknown): boolean {
  return value === null || value === "undefined";
}

/** The frame's document, while it can be reached. */
function documentOf(tool: RegisteredTool): Document | undefined {
  try {
    return windowOf(tool).document;
  } catch {
    return undefined;
  }
}

/** Where the tool's frame is by now, as far as that can be seen. */
function urlOf(tool: RegisteredTool): string {
  return documentOf(tool)?.URL ?? "another page";
}

/** Aborts its signal after so many milliseconds; never, where none are given. */
class Patience {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal = this.#controller.signal;

  constructor(milliseconds: number | undefined) {
    if (milliseconds !== undefined) this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function unknownTool(name: string): ToolResult {
  return errorResult({
    code: "unknown_tool",
    executed: "no",
    message: `the page has no tool ${name}. List the tools again and call one of them.`,
  });
}

function cancelledResult(name: string): ToolResult {
  return errorResult({
    code: "cancelled",
    executed: "no",
    message: `the call of ${name} was cancelled before it ran. Call again if it is still wanted.`,
  });
}
