/** One opened port `webmcp-page-tools`: requests in, answers and notifications out. */
import { ChainFailure, type ErrorCode, type ToolResult } from "../../contract/errors.ts";
import type { ListResult, PageAnswer, PortError, PortOutput } from "../../contract/page-tools.ts";
import { isRecord } from "../../contract/tab-channel.ts";
import type { Timings } from "../../contract/timings.ts";
import { PageCall } from "./page-call.ts";
import type { PageSession } from "./page-session.ts";

/** What a port needs of the script around it. */
export interface PortContext {
  session: PageSession;
  timings(): Timings;
  retime(overrides: unknown): void;
  onRelayHeld(port: PagePort, held: boolean): void;
  onFall(port: PagePort): void;
}

export class PagePort {
  readonly #calls = new Map<number, PageCall>();
  #open = true;

  constructor(
    private readonly port: chrome.runtime.Port,
    private readonly context: PortContext,
  ) {
    port.onMessage.addListener((message: unknown) => this.#receive(message));
    port.onDisconnect.addListener(() => this.#fall());
    const { session } = context;
    this.send({ type: "state", ...session.status });
    if (session.client) this.send({ type: "toolsChanged", ...session.book.list });
  }

  get calls(): Iterable<PageCall> {
    return this.#calls.values();
  }

  /** Posting is the only way to learn that a port died while the page was frozen. */
  send(message: PortOutput): void {
    if (!this.#open) return;
    try {
      this.port.postMessage(message);
    } catch {
      this.#fall();
    }
  }

  /** For ports that the browser closed on the other side only (bfcache). */
  drop(): void {
    this.port.disconnect();
    this.#fall();
  }

  #fall(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const call of this.#calls.values())
      call.end("cancelled", "the caller has gone. Call again if it is still wanted.");
    this.context.onFall(this);
  }

  #receive(message: unknown): void {
    if (!isRecord(message)) return;
    if (message.type === "relayHeld") this.context.onRelayHeld(this, message.held === true);
    else if (message.type === "timings") this.context.retime(message.overrides);
    else if (typeof message.id === "number") void this.#answer(message.id, message);
  }

  async #answer(id: number, request: Record<string, unknown>): Promise<void> {
    try {
      this.send({ id, ok: true, result: await this.#handle(id, request) });
    } catch (error) {
      this.send({ id, ok: false, error: portError(error) });
    }
  }

  async #handle(
    id: number,
    request: Record<string, unknown>,
  ): Promise<(PageAnswer & { ok: true })["result"]> {
    switch (request.type) {
      case "listTools":
        return await this.#list();
      case "callTool":
        return await this.#call(id, request.name, request.args ?? {});
      case "cancel":
        return this.#cancel(request.target);
      default:
        throw ChainFailure.of(
          "invalid_args",
          "no",
          `the port knows no request ${String(request.type)}. Send listTools, callTool or cancel.`,
        );
    }
  }

  async #list(): Promise<ListResult> {
    const { session } = this.context;
    // What cannot be listed now keeps the last list: the page's own fault must not empty the panel.
    if (session.client) await session.book.refresh(session.client).catch(() => {});
    return { ...session.book.list, ...session.status };
  }

  async #call(id: number, name: unknown, args: unknown): Promise<ToolResult> {
    if (typeof name !== "string" || this.#calls.has(id)) {
      throw ChainFailure.of(
        "invalid_args",
        "no",
        "callTool wants a tool's name, and an id that is not in use. Send a new request.",
      );
    }
    const call = new PageCall(this.context.session, name, this.context.timings());
    this.#calls.set(id, call);
    try {
      return await call.run(args);
    } finally {
      this.#calls.delete(id);
    }
  }

  #cancel(target: unknown): Record<string, never> {
    const call = typeof target === "number" ? this.#calls.get(target) : undefined;
    call?.end("cancelled", `the call of ${call.name} was cancelled. Check the page before you repeat.`);
    return {};
  }
}

function portError(error: unknown): PortError {
  if (error instanceof ChainFailure) return error.error;
  const code: ErrorCode = "page_error";
  return {
    code,
    executed: "unknown",
    message: `${error instanceof Error ? error.message : String(error)}. Reload the page.`,
  };
}
