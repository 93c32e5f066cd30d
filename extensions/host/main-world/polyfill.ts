/** Installs `@mcp-b/webmcp-polyfill` where there is no WebMCP, and gives it what it lacks. */
import { initializeWebMCPPolyfill } from "@mcp-b/webmcp-polyfill";
import { isRecord } from "../../contract/tab-channel.ts";
import {
  type ExecuteOptions,
  type ModelContext,
  type RegisteredTool,
  underlyingContext,
} from "./model-context.ts";
import { type Run, resultInSpite } from "./unregistered-run.ts";

/** What the polyfill's `getTools()` leaves out of a registration. */
interface Extras {
  outputSchema?: unknown;
  annotations?: unknown;
}

/** Does nothing where `document.modelContext` exists, or in an insecure context (the polyfill's own rule). */
export function installPolyfill(): void {
  if ("modelContext" in document && Reflect.get(document, "modelContext")) return;
  initializeWebMCPPolyfill();
  const context = underlyingContext();
  if (context) adaptPolyfill(context);
}

/**
 * The polyfill runs `execute(args)` without `options.signal`, lists neither output schemas nor all annotations, and
 * throws a running tool's result away when the tool is unregistered meanwhile (native does not).
 * Its methods are wrapped on the instance, before the page sees it: a cancelled call's `execute(args, {signal})` is told.
 */
function adaptPolyfill(context: ModelContext): void {
  const extras = new Map<string, Extras>();
  /** Set while `executeTool` runs synchronously up to the tool's `execute`, which takes it. */
  let handedOver: Run | undefined;
  const { registerTool, getTools, executeTool } = context;

  const wrapped = {
    registerTool(tool: unknown, options?: unknown): Promise<void> {
      if (!isRecord(tool) || typeof tool.execute !== "function")
        return registerTool.call(context, tool, options);
      const execute = tool.execute;
      const withSignal = (input: unknown): unknown => {
        const run = handedOver;
        const signal = run?.signal ?? new AbortController().signal;
        const result: unknown = Reflect.apply(execute, undefined, [input, { signal }]);
        if (run) run.started = { result, registration: signalOf(options) };
        return result;
      };
      const registration = registerTool.call(context, withExecute(tool, withSignal), options);
      registration.then(
        () => extras.set(String(tool.name), extrasOf(tool)),
        () => {},
      );
      return registration;
    },
    async getTools(...args: []): Promise<RegisteredTool[]> {
      const tools = await getTools.apply(context, args);
      return tools.map((tool) => ({ ...tool, ...extras.get(tool.name) }));
    },
    executeTool(tool: RegisteredTool, input: unknown, options: ExecuteOptions = {}): Promise<unknown> {
      const run: Run = { signal: options.signal };
      handedOver = run;
      try {
        return resultInSpite(executeTool.call(context, tool, input, options), run);
      } finally {
        handedOver = undefined;
      }
    },
  };
  for (const [name, value] of Object.entries(wrapped)) {
    Object.defineProperty(context, name, { value, configurable: true, writable: true, enumerable: false });
  }
}

/** The page's descriptor with another `execute`; everything else is read through, accessors included. */
function withExecute(tool: object, execute: (input: unknown) => unknown): object {
  return Object.create(tool, { execute: { value: execute, enumerable: true } });
}

function signalOf(options: unknown): AbortSignal | undefined {
  return isRecord(options) && options.signal instanceof AbortSignal ? options.signal : undefined;
}

function extrasOf(tool: Record<string, unknown>): Extras {
  const { outputSchema, annotations } = tool;
  return {
    ...(isRecord(outputSchema) ? { outputSchema } : {}),
    ...(isRecord(annotations) ? { annotations } : {}),
  };
}
