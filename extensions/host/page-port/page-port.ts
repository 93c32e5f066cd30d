/** One port `webmcp-page-tools` to one document: ids, answers, notifications, its end. */
import type { ToolResult } from "../../contract/errors.ts";
import {
  type ListResult,
  PAGE_TOOLS_PORT,
  type PageAnswer,
  type PageMessage,
  type PageNotification,
  type PageRequest,
  type PortError,
  type PortOutput,
} from "../../contract/page-tools.ts";

/** What a call came to: the page's result, or why there is none. */
export type CallOutcome = { ok: true; result: ToolResult } | { ok: false; error: PortError };

export interface PagePortEvents {
  list(result: ListResult): void;
  notification(message: PageNotification): void;
  /** `reached`: a content script had answered on this port; otherwise nobody listened. */
  dropped(reached: boolean): void;
}

type Waiter = (answer: PageAnswer) => void;
/** A request without its id, for each member of the union. */
type Unnumbered<R> = R extends PageRequest ? Omit<R, "id"> : never;

const NEVER_ARRIVED: PortError = {
  code: "not_ready",
  executed: "no",
  message: "No content script answers in this tab. Reload the page, or choose a web page.",
};

export class PagePort {
  private readonly port: chrome.runtime.Port;
  private readonly waiting = new Map<number, Waiter>();
  private lastId = 0;
  private reached = false;

  constructor(
    private readonly tabId: number,
    private readonly events: PagePortEvents,
    overrides?: Record<string, unknown>,
  ) {
    this.port = chrome.tabs.connect(tabId, { name: PAGE_TOOLS_PORT, frameId: 0 });
    this.port.onMessage.addListener((message: PortOutput) => this.receive(message));
    this.port.onDisconnect.addListener(() => this.end());
    if (overrides) this.post({ type: "timings", overrides });
    this.request({ type: "listTools" }, (answer) => {
      if (answer.ok) events.list(answer.result as ListResult);
    });
  }

  /** Sends a call; the promise never rejects. `id` is what `cancel` wants. */
  call(name: string, args: Record<string, unknown>): { id: number; outcome: Promise<CallOutcome> } {
    let id = 0;
    const outcome = new Promise<CallOutcome>((resolve) => {
      id = this.request({ type: "callTool", name, args }, (answer) => resolve(answer as CallOutcome));
    });
    return { id, outcome };
  }

  cancel(target: number): void {
    this.request({ type: "cancel", target }, () => {});
  }

  tellHeld(held: boolean): void {
    this.post({ type: "relayHeld", held });
  }

  /** Ends the port from this side; `dropped` is not called, calls in flight are failed. */
  close(): void {
    this.port.disconnect();
    void this.failWaiting();
  }

  private request(request: Unnumbered<PageRequest>, waiter: Waiter): number {
    const id = ++this.lastId;
    this.waiting.set(id, waiter);
    this.post({ ...request, id } as PageRequest);
    return id;
  }

  private post(message: PageMessage): void {
    try {
      this.port.postMessage(message);
    } catch {
      // The port died in this very task; its onDisconnect follows and fails what waits.
    }
  }

  private receive(message: PortOutput): void {
    this.reached = true;
    if ("type" in message) this.events.notification(message);
    else this.answer(message);
  }

  private answer(message: PageAnswer): void {
    const waiter = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    waiter?.(message);
  }

  private end(): void {
    // Reading it is what keeps "Unchecked runtime.lastError" out of the extension's error list.
    void chrome.runtime.lastError;
    this.events.dropped(this.reached);
    void this.failWaiting();
  }

  private async failWaiting(): Promise<void> {
    const waiters = [...this.waiting];
    this.waiting.clear();
    if (waiters.length === 0) return;
    const error = this.reached ? await goneError(this.tabId) : NEVER_ARRIVED;
    for (const [id, waiter] of waiters) waiter({ id, ok: false, error });
  }
}

/** Why a document that had the call is gone: the tab was closed, or it shows something else now. */
async function goneError(tabId: number): Promise<PortError> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  if (!tab) {
    const message = "The tab was closed while the tool ran. Check what the tool did before you repeat it.";
    return { code: "source_disconnected", executed: "unknown", message };
  }
  const message = `The page navigated to ${tab.url ?? "another page"} while the tool ran. Check before you repeat it.`;
  return { code: "navigated", executed: "unknown", message };
}
