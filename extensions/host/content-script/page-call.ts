/** One call of a page tool, from the port's request to its one answer. */
import {
  ChainFailure,
  ERROR_META,
  type ErrorCode,
  type Executed,
  isErrorCode,
  type ToolResult,
} from "../../contract/errors.ts";
import { jsonBytes, LIMITS } from "../../contract/limits.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { isRecord } from "../../contract/tab-channel.ts";
import type { Timings } from "../../contract/timings.ts";
import type { PageClient } from "./page-client.ts";
import type { PageSession } from "./page-session.ts";
import { checkSchema, checkSize } from "./validate-args.ts";

export class PageCall {
  readonly #end = new AbortController();
  /** Set when the request has gone to the page: from then on nobody can say that the tool did not run. */
  #sent = false;

  constructor(
    private readonly session: PageSession,
    readonly name: string,
    private readonly timings: Timings,
  ) {}

  /** Rejects with ChainFailure only. */
  async run(args: unknown): Promise<ToolResult> {
    const timer = setTimeout(() => this.#timeOut(), this.timings.browserDeadline);
    try {
      checkSize(this.name, args);
      const client = await this.#connected();
      const tool = await this.#tool(client);
      checkSchema(tool, args);
      this.#end.signal.throwIfAborted();
      this.#sent = true;
      const answer = client.callTool(this.name, args, this.timings.formWait, this.#end.signal);
      return resultOf(this.name, await this.#orEnd(answer));
    } catch (error) {
      return this.#conclude(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the call from outside with this code; the page is told, a late result is dropped. */
  end(code: ErrorCode, message: string): void {
    this.#end.abort(ChainFailure.of(code, this.#executed, message));
  }

  /** Ends the call with a result: an autosubmit form whose document goes is a success. */
  succeed(result: ToolResult): void {
    this.#end.abort(new Success(result));
  }

  get #executed(): Executed {
    return this.#sent ? "unknown" : "no";
  }

  #timeOut(): void {
    const seconds = Math.round(this.timings.browserDeadline / 1000);
    if (!this.#sent && this.session.status.state !== "ready") {
      this.end(
        "not_ready",
        `the page's WebMCP server did not answer within ${seconds} s. Reload the page, then call again.`,
      );
    } else {
      this.end(
        "timeout",
        `${this.name} gave no result within ${seconds} s. Check the page before you repeat.`,
      );
    }
  }

  async #connected(): Promise<PageClient> {
    while (!this.session.client) {
      const { state, reason } = this.session.status;
      if (state === "none") throw ChainFailure.of("not_ready", "no", `${reason}.`);
      await this.#orEnd(this.session.changed());
    }
    return this.session.client;
  }

  /** A name that the book lacks may be newer than the book. */
  async #tool(client: PageClient): Promise<PageTool> {
    if (!this.session.book.tool(this.name)) await this.#orEnd(this.session.book.refresh(client));
    const tool = this.session.book.tool(this.name);
    if (tool) return tool;
    const rejection = this.session.book.rejection(this.name);
    if (rejection)
      throw ChainFailure.of(
        "denied",
        "no",
        `the page's tool ${this.name} was rejected: ${rejection.rule}. Have the page mend it.`,
      );
    throw ChainFailure.of(
      "unknown_tool",
      "no",
      `the page has no tool ${this.name}. List the tools again and call one of them.`,
    );
  }

  #orEnd<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#end;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      work.then(resolve, reject);
    });
  }

  /** The end from outside goes before whatever the work stumbled over because of it. */
  #conclude(error: unknown): ToolResult {
    const reason: unknown = this.#end.signal.aborted ? this.#end.signal.reason : error;
    if (reason instanceof Success) return reason.result;
    if (reason instanceof ChainFailure) throw reason;
    const what = reason instanceof Error ? reason.message : String(reason);
    throw ChainFailure.of(
      "page_error",
      this.#executed,
      `the page's server refused ${this.name}: ${what}. Check the page before you repeat.`,
    );
  }
}

/** The abort reason of a call that ended well from outside. */
class Success {
  constructor(readonly result: ToolResult) {}
}

/** A page's answer: bounded, an object with a `content` array, its error unpacked. */
function resultOf(name: string, answer: unknown): ToolResult {
  const bytes = size(answer);
  if (bytes === undefined || !isRecord(answer) || !Array.isArray(answer.content)) {
    throw ChainFailure.of(
      "page_error",
      "yes",
      `the page answered the call of ${name} with something that is no tool result. Check the page before you repeat.`,
    );
  }
  if (bytes > LIMITS.result) {
    throw ChainFailure.of(
      "too_large",
      "yes",
      `the result of ${name} has ${bytes} bytes of ${LIMITS.result} allowed. The tool ran; ask it for less.`,
    );
  }
  const failure = chainFailure(answer as ToolResult);
  if (failure) throw failure;
  return answer as ToolResult;
}

function size(value: unknown): number | undefined {
  try {
    return jsonBytes(value);
  } catch {
    return undefined;
  }
}

/** Our MAIN world server's errors come as MCP results with the code in `_meta`. */
function chainFailure(result: ToolResult): ChainFailure | undefined {
  const meta = isRecord(result._meta) ? result._meta[ERROR_META] : undefined;
  if (result.isError !== true || !isRecord(meta) || !isErrorCode(meta.code)) return undefined;
  const { code, executed } = meta;
  const [first] = result.content;
  const text = isRecord(first) && typeof first.text === "string" ? first.text : "";
  const ran: Executed = executed === "no" || executed === "yes" ? executed : "unknown";
  return ChainFailure.of(code, ran, text.replace(`${code}: `, ""));
}
