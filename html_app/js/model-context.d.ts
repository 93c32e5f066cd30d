/** The part of WebMCP that the page app uses: `document.modelContext`, native or of a polyfill. */
interface ToolOptions {
  signal?: AbortSignal;
}

interface ToolDefinition {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, unknown>;
  execute(args: Record<string, unknown>, options?: ToolOptions): unknown;
}

interface ModelContextLike {
  registerTool(tool: ToolDefinition, options?: { signal?: AbortSignal }): Promise<void> | undefined;
}

interface Document {
  readonly modelContext?: ModelContextLike;
}

/** A form submission that an agent began (declarative tools). */
interface SubmitEvent {
  readonly agentInvoked?: boolean;
  respondWith?(result: Promise<unknown>): void;
}
