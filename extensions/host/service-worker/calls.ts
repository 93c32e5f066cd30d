/** Calls that this worker owns: their deadline, their cancellation, and what keeps the worker alive meanwhile. */
import { errorResult, type ToolResult } from "../../contract/errors.ts";
import type { Timings } from "../../contract/timings.ts";

/** Starts the call; must resolve soon after `signal` aborts. */
export type CallStarter = (signal: AbortSignal) => Promise<ToolResult>;

export class CallRegistry {
  private readonly running = new Map<string, { tabId: number | undefined; abort: AbortController }>();
  private keepAlive: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly timings: () => Timings) {}

  /** Tabs with a call in flight. */
  busyTabs(): Set<number> {
    const tabs = [...this.running.values()].map((call) => call.tabId);
    return new Set(tabs.filter((tabId) => tabId !== undefined));
  }

  /**
   * Runs one call until its result or the browser's deadline, whichever is first; never rejects. `key` is what
   * `cancel` wants; `tabId` the tab that must stay selected meanwhile.
   */
  run(key: string, tabId: number | undefined, start: CallStarter): Promise<ToolResult> {
    const abort = new AbortController();
    this.running.set(key, { tabId, abort });
    this.holdWorker();
    return new Promise<ToolResult>((resolve) => {
      const limit = this.timings().browserDeadline;
      const deadline = setTimeout(() => finish(deadlineResult(limit)), limit);
      const finish = (result: ToolResult) => {
        clearTimeout(deadline);
        this.forget(key, abort);
        resolve(result);
      };
      start(abort.signal).then(finish, (cause: unknown) => finish(unexpected(cause)));
    });
  }

  cancel(key: string): void {
    this.running.get(key)?.abort.abort();
  }

  private forget(key: string, abort: AbortController): void {
    if (this.running.get(key)?.abort !== abort) return;
    this.running.delete(key);
    abort.abort();
    if (this.running.size > 0) return;
    clearInterval(this.keepAlive);
    this.keepAlive = undefined;
  }

  /** An open port or a promise keeps no worker alive; a cheap extension API call every 20 s does. */
  private holdWorker(): void {
    this.keepAlive ??= setInterval(() => void chrome.runtime.getPlatformInfo(), this.timings().keepAlive);
  }
}

function deadlineResult(limit: number): ToolResult {
  const message = `The tool gave no result within ${limit / 1000} s. Check what it did before you repeat the call.`;
  return errorResult({ code: "timeout", executed: "unknown", message });
}

function unexpected(cause: unknown): ToolResult {
  const text = cause instanceof Error ? cause.message : String(cause);
  const message = `The extension failed while the call ran (${text}). Check what the tool did, then report this.`;
  return errorResult({ code: "outcome_unknown", executed: "unknown", message });
}
