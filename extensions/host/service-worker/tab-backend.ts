/** A selected tab as a relay source: its page's tools over one page link. */
import { errorResult, type ToolResult } from "../../contract/errors.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { PageLink, type PageSnapshot } from "../page-port/page-link.ts";
import { isBuiltin } from "./builtin-tools.ts";
import { type BackendListener, type Hello, type SourceBackend, tabHello } from "./source-backend.ts";

/**
 * A frozen or busy tab answers late; after so many ms its source is announced without tools. Until then a relay
 * that knew it keeps its tools listed (10 s), and a call to them waits.
 */
const FIRST_LIST_PATIENCE = 5_000;

export interface TabBackendOptions {
  /** The stored `webmcpTimings`, for the content script. */
  overrides(): Record<string, unknown> | undefined;
  /** The browser knows no such tab. */
  gone(): void;
  /** A built-in wins over a page tool of the same name. */
  builtin(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
}

export class TabBackend implements SourceBackend {
  readonly id: string;
  private link: PageLink | undefined;
  private tab: chrome.tabs.Tab | undefined;
  private tabKnown: Promise<void> | undefined;
  private listener: BackendListener | undefined;

  constructor(
    readonly tabId: number,
    private readonly options: TabBackendOptions,
  ) {
    this.id = String(tabId);
  }

  open(listener: BackendListener): void {
    this.listener = listener;
    if (this.link) return;
    const changed = () => this.listener?.toolsChanged();
    this.link = new PageLink(this.tabId, { changed, overrides: this.options.overrides() });
    this.link.open();
    this.tabKnown = this.learnTab();
  }

  close(): void {
    this.link?.close();
    this.link = undefined;
    this.listener = undefined;
  }

  async prepared(): Promise<void> {
    await this.tabKnown;
    // Pages of the browser itself never have a content script.
    if (!/^https?:/.test(this.tab?.url ?? "")) return;
    const patience = new Promise<void>((resolve) => setTimeout(resolve, FIRST_LIST_PATIENCE));
    await Promise.race([this.link?.settled, patience]);
  }

  hello(): Hello {
    return tabHello(this.tabId, this.tab);
  }

  tools(): PageTool[] {
    return (this.link?.snapshot.tools ?? []).filter((tool) => !isBuiltin(tool.name));
  }

  tabChanged(tab: chrome.tabs.Tab): void {
    const before = JSON.stringify(this.hello());
    this.tab = tab;
    this.link?.nudge();
    if (JSON.stringify(this.hello()) !== before) this.listener?.helloChanged();
  }

  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult> {
    if (isBuiltin(name)) return this.options.builtin(name, args, signal);
    const call = this.link?.call(name, args);
    if (!call) return notReady(this.link?.snapshot);
    signal.addEventListener("abort", call.cancel, { once: true });
    const outcome = await call.outcome;
    signal.removeEventListener("abort", call.cancel);
    return outcome.ok ? outcome.result : errorResult(outcome.error);
  }

  held(held: boolean): void {
    this.link?.setHeld(held);
  }

  reload(): void {
    void chrome.tabs.reload(this.tabId);
  }

  private async learnTab(): Promise<void> {
    try {
      this.tab = await chrome.tabs.get(this.tabId);
    } catch {
      this.options.gone();
    }
  }
}

/** No document can be asked: on the way to another one, or there is no content script at all. */
function notReady(snapshot: PageSnapshot | undefined): ToolResult {
  const message =
    snapshot?.state === "none"
      ? "This tab has no tools: no content script runs in it. Open a web page in the tab or select another tab."
      : "The tab is loading another page. List the tools again, then call.";
  return errorResult({ code: "not_ready", executed: "no", message });
}
