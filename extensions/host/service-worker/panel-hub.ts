/** The worker's side of the side panels: pushes the relay's state and the providers, knows in which tabs a panel has calls. */
import {
  type PanelCalls,
  type PanelPush,
  type RelayCall,
  type RelayStatus,
  WORKER_STARTED,
} from "../../contract/panel.ts";
import type { ProviderView } from "../../contract/providers.ts";

/** What is pushed as a whole at every change. */
type Kind = "relay" | "providers";

export interface PanelSources {
  relay(): RelayStatus;
  providers(): ProviderView[];
  /** Calls over the relay, oldest first. */
  calls(): RelayCall[];
}

export class PanelHub {
  private readonly ports = new Map<chrome.runtime.Port, readonly number[]>();
  private readonly pending = new Set<Kind>();

  /** `ready`: what is pushed is known only from then on. */
  constructor(
    private readonly sources: PanelSources,
    private readonly ready: () => Promise<void>,
  ) {}

  /** Tabs with a call of a panel in flight. */
  busyTabs(): number[] {
    return [...this.ports.values()].flat();
  }

  connect(port: chrome.runtime.Port): void {
    this.ports.set(port, []);
    port.onMessage.addListener((message: PanelCalls) => this.ports.set(port, message.tabIds));
    port.onDisconnect.addListener(() => this.ports.delete(port));
    port.postMessage(this.message("relay"));
    this.post(port, { kind: "calls", calls: this.sources.calls() });
    void this.ready().then(() => this.push("providers"));
  }

  /** Panels whose port fell with the worker before this one connect again. */
  announceWorker(): void {
    // Without a panel nobody listens, and that is no error.
    chrome.runtime.sendMessage({ type: WORKER_STARTED }).catch(() => {});
  }

  /** Several changes of one task become one push. */
  push(kind: Kind): void {
    if (this.pending.has(kind) || this.ports.size === 0) return;
    this.pending.add(kind);
    queueMicrotask(() => {
      this.pending.delete(kind);
      const message = this.message(kind);
      for (const port of this.ports.keys()) port.postMessage(message);
    });
  }

  tellCall(call: RelayCall): void {
    for (const port of this.ports.keys()) this.post(port, { kind: "call", call });
  }

  private post(port: chrome.runtime.Port, push: PanelPush): void {
    port.postMessage(push);
  }

  private message(kind: Kind): PanelPush {
    return kind === "relay"
      ? { kind, status: this.sources.relay() }
      : { kind, providers: this.sources.providers() };
  }
}
