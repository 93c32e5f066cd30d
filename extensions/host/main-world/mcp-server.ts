/** A small MCP server over the page's tools: JSON-RPC in, JSON-RPC out, no transport of its own. */
import type { ToolResult } from "../../contract/errors.ts";
import {
  FORM_WAIT_META,
  isRecord,
  PAGE_SERVER_NAME,
  PROTOCOL_VERSIONS,
  RUNTIME_CAPABILITY,
} from "../../contract/tab-channel.ts";
import { TIMINGS } from "../../contract/timings.ts";
import type { PageTools } from "./page-tools.ts";
import { callTool, type ToolCall } from "./tool-call.ts";

type Id = string | number;

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export class McpServer {
  readonly #running = new Map<Id, AbortController>();

  /** `send` takes one JSON-RPC message to the client. */
  constructor(
    private readonly tools: PageTools,
    private readonly send: (message: object) => void,
  ) {}

  /** Takes one JSON-RPC message; anything that is none is ignored. */
  receive(message: unknown): void {
    if (!isRecord(message) || typeof message.method !== "string") return;
    const params = isRecord(message.params) ? message.params : {};
    const id = message.id;
    if (typeof id === "string" || typeof id === "number") void this.#answer(id, message.method, params);
    else if (message.method === "notifications/cancelled") this.#cancel(params.requestId);
  }

  notifyListChanged(): void {
    this.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  }

  async #answer(id: Id, method: string, params: Record<string, unknown>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#handle(method, params, controller.signal);
      // MCP: a cancelled request gets no answer.
      if (!controller.signal.aborted) this.send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      if (!controller.signal.aborted) this.send({ jsonrpc: "2.0", id, error: rpcError(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  async #handle(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<object> {
    switch (method) {
      case "initialize":
        return this.#initialize(params);
      case "ping":
        return {};
      case "tools/list":
        return { tools: await this.tools.descriptions() };
      case "tools/call":
        return await this.#call(params, signal);
      default:
        throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`);
    }
  }

  #initialize(params: Record<string, unknown>): object {
    const asked = PROTOCOL_VERSIONS.find((version) => version === params.protocolVersion);
    return {
      protocolVersion: asked ?? PROTOCOL_VERSIONS[0],
      capabilities: {
        tools: { listChanged: true },
        experimental: { [RUNTIME_CAPABILITY]: { runtime: this.tools.runtime } },
      },
      serverInfo: { name: PAGE_SERVER_NAME, version: "0.1.0" },
    };
  }

  #call(params: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult> {
    const { name, arguments: args = {}, _meta } = params;
    if (typeof name !== "string" || !isRecord(args)) {
      throw new RpcError(INVALID_PARAMS, "tools/call wants a name and an object of arguments");
    }
    const call: ToolCall = { name, args, signal, formWait: formWait(_meta) };
    return callTool(this.tools, call);
  }

  #cancel(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#running.get(id)?.abort();
  }
}

function formWait(meta: unknown): number {
  const value = isRecord(meta) ? meta[FORM_WAIT_META] : undefined;
  return typeof value === "number" && value > 0 ? value : TIMINGS.formWait;
}

function rpcError(error: unknown): { code: number; message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) };
}
