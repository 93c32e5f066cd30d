/** The panel's side of the service worker: requests, the relay's state for as long as the worker lives, the providers. */
import {
  PANEL_PORT,
  type PanelAnswer,
  type PanelPush,
  type PanelRequest,
  type RelayCall,
  type RelayStatus,
  WORKER_STARTED,
  withCall,
} from "../../contract/panel.ts";
import type { ProviderView } from "../../contract/providers.ts";

export class WorkerClient {
  /** The live session's word; `undefined` while no worker runs, for then there is no relay connection. */
  status: RelayStatus | undefined;
  /** The last word; stays while no worker runs, for sessions with providers outlive it. `undefined`: not told yet. */
  providers: ProviderView[] | undefined;
  /** Calls over the relay that this panel knows of, oldest first; they outlive the worker that told them. */
  calls: readonly RelayCall[] = [];
  private port: chrome.runtime.Port | undefined;
  private busyTabs: number[] = [];

  constructor(private readonly changed: () => void) {
    chrome.runtime.onMessage.addListener((message: { type?: unknown }) => {
      if (message?.type === WORKER_STARTED) this.connect();
      return false;
    });
  }

  /** Opens the port, which starts a stopped worker. */
  connect(): void {
    if (this.port) return;
    const port = chrome.runtime.connect({ name: PANEL_PORT });
    this.port = port;
    port.onMessage.addListener((push: PanelPush) => this.take(push));
    port.onDisconnect.addListener(() => this.fell());
    if (this.busyTabs.length > 0) this.tellBusy(this.busyTabs);
  }

  /**
   * Asks the worker, which is started for it. A worker that dies meanwhile answers nothing at all or closes the
   * channel: then the next one is asked, once. For requests that may be made twice.
   */
  async ask(request: PanelRequest): Promise<PanelAnswer | undefined> {
    return (await this.askOnce(request)) ?? this.askOnce(request);
  }

  /** For what must not be asked twice, in no case. */
  askOnce(request: PanelRequest): Promise<PanelAnswer | undefined> {
    this.connect();
    return this.send(request);
  }

  /** Tabs with calls of this panel; a stopped worker is not started for it, the next port tells it. */
  tellBusy(tabIds: number[]): void {
    this.busyTabs = tabIds;
    this.port?.postMessage({ type: "panel/calls", tabIds });
  }

  private send(request: PanelRequest): Promise<PanelAnswer | undefined> {
    return chrome.runtime.sendMessage<PanelRequest, PanelAnswer | undefined>(request).catch(() => undefined);
  }

  private take(push: PanelPush): void {
    switch (push.kind) {
      case "relay":
        this.status = push.status;
        break;
      case "providers":
        this.providers = push.providers;
        break;
      case "calls":
        this.calls = push.calls.reduce(withCall, [...this.calls]);
        break;
      case "call":
        this.calls = withCall(this.calls, push.call);
    }
    this.changed();
  }

  /** The worker stopped. It is left asleep: with a relay its pages wake it, and without one nothing should. */
  private fell(): void {
    void chrome.runtime.lastError;
    this.port = undefined;
    this.status = undefined;
    this.calls = this.calls.map((call) => (call.outcome ? call : { ...call, outcome: "outcome_unknown" }));
    // Whoever checked them is gone.
    this.providers = this.providers?.map((provider) => ({ ...provider, checking: false }));
    this.changed();
  }
}
