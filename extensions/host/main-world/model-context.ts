/** The WebMCP API as this world meets it: native of several generations, our polyfill, or a page's own wrapper. */
import type { PageRuntime } from "../../contract/page-tools.ts";

/** An entry of `getTools()`. Chrome 160 renames `window` to `source`; up to 153 `inputSchema` is JSON text. */
export interface RegisteredTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  origin?: string;
  window?: Window;
  source?: Window;
}

export interface ExecuteOptions {
  signal?: AbortSignal;
}

export interface ModelContext extends EventTarget {
  getTools(): Promise<RegisteredTool[]>;
  executeTool(tool: RegisteredTool, input: unknown, options?: ExecuteOptions): Promise<unknown>;
  registerTool(tool: unknown, options?: unknown): Promise<void>;
}

function isModelContext(value: unknown): value is ModelContext {
  if (typeof value !== "object" || value === null) return false;
  const { getTools, executeTool } = value as Partial<ModelContext>;
  return typeof getTools === "function" && typeof executeTool === "function";
}

/** `document.modelContext` of this moment: a page may have put its own in the meantime. */
export function currentContext(): ModelContext | undefined {
  const value: unknown = Reflect.get(document, "modelContext");
  return isModelContext(value) ? value : undefined;
}

/** The one under a page's own wrapper, which shadows the prototype's accessor with an own property. */
export function underlyingContext(): ModelContext | undefined {
  const value: unknown = Reflect.get(Document.prototype, "modelContext", document);
  return isModelContext(value) ? value : undefined;
}

/** `polyfill` where the accessor's object carries `@mcp-b/webmcp-polyfill`'s marker. */
export function runtimeOf(context: ModelContext | undefined): PageRuntime {
  return context !== undefined && Reflect.get(context, "__isWebMCPPolyfill") === true ? "polyfill" : "native";
}

export function windowOf(tool: RegisteredTool): Window {
  return tool.window ?? tool.source ?? window;
}
