/** Keeps a port open to whatever document a tab shows, across navigations, bfcache and hand-overs. */
import type {
  ListResult,
  PageNotification,
  PageRuntime,
  PageState,
  PageTool,
  RejectedTool,
} from "../../contract/page-tools.ts";
import { type CallOutcome, PagePort } from "./page-port.ts";

/** Reason of state `none` where no content script runs; the panel shows it in the user's language. */
export const NO_CONTENT_SCRIPT = "no_content_script";

/** Pauses before each try to reach the next document, in ms: a navigation commits within a few of them. */
const REOPEN_PAUSES = [0, 50, 100, 200, 400, 800, 1600];

/** What a tab offers at this moment. */
export interface PageSnapshot {
  state: PageState;
  reason?: string;
  runtime?: PageRuntime;
  tools: PageTool[];
  rejected: RejectedTool[];
}

const CONNECTING: PageSnapshot = { state: "connecting", tools: [], rejected: [] };

export interface PageLinkOptions {
  changed(snapshot: PageSnapshot): void;
  /** The stored `webmcpTimings`, passed on to the content script. */
  overrides?: Record<string, unknown> | undefined;
}

export class PageLink {
  snapshot: PageSnapshot = CONNECTING;
  private port: PagePort | undefined;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private held = false;
  private settle: () => void = () => {};
  /** Resolves once the first document has said what it offers, or that nobody answers is known. */
  readonly settled = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  constructor(
    readonly tabId: number,
    private readonly options: PageLinkOptions,
  ) {}

  open(): void {
    if (!this.port) this.connect();
  }

  /** The tab has changed (navigation, load done): try again now if nothing answers. */
  nudge(): void {
    if (this.port) return;
    this.tries = 0;
    this.connect();
  }

  /** `undefined` while no port is open: the caller decides what to say. */
  call(name: string, args: Record<string, unknown>): RunningCall | undefined {
    const port = this.port;
    if (!port) return undefined;
    const { id, outcome } = port.call(name, args);
    return { outcome, cancel: () => port.cancel(id) };
  }

  /** Tells this and every later document whether a relay socket is held for the tab. */
  setHeld(held: boolean): void {
    if (this.held === held) return;
    this.held = held;
    this.port?.tellHeld(held);
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.setHeld(false);
    this.port?.close();
    this.port = undefined;
    this.tries = 0;
    this.snapshot = CONNECTING;
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const events = {
      list: (result: ListResult) => this.take(result),
      notification: (message: PageNotification) => this.notice(message),
      dropped: (reached: boolean) => this.lost(reached),
    };
    this.port = new PagePort(this.tabId, events, this.options.overrides);
    if (this.held) this.port.tellHeld(true);
  }

  private take(result: ListResult): void {
    this.tries = 0;
    this.update({ ...result });
    this.settle();
  }

  private notice(message: PageNotification): void {
    if (message.type === "toolsChanged") {
      this.update({ ...this.snapshot, tools: message.tools, rejected: message.rejected });
      return;
    }
    const { type: _, ...state } = message;
    const kept = message.state === "ready" ? this.snapshot : CONNECTING;
    this.update({ tools: kept.tools, rejected: kept.rejected, ...state });
  }

  private lost(reached: boolean): void {
    this.port = undefined;
    if (reached) this.tries = 0;
    const pause = REOPEN_PAUSES[this.tries++];
    if (reached) this.update(CONNECTING);
    if (pause === undefined) this.giveUp();
    else this.timer = setTimeout(() => this.connect(), pause);
  }

  private giveUp(): void {
    this.update({ state: "none", reason: NO_CONTENT_SCRIPT, tools: [], rejected: [] });
    this.settle();
  }

  private update(snapshot: PageSnapshot): void {
    this.snapshot = snapshot;
    this.options.changed(snapshot);
  }
}

export interface RunningCall {
  /** Never rejects. */
  outcome: Promise<CallOutcome>;
  cancel(): void;
}
