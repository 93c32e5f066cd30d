/** Everything the panel shows and does, without any look. */
import { errorResult, type ToolResult } from "../../contract/errors.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import type { RelayCall, RelayStatus } from "../../contract/panel.ts";
import type { AddedProviders, ProviderView } from "../../contract/providers.ts";
import { parseRelaySettings, RELAY_SETTINGS_KEY, type RelaySettings } from "../../contract/settings.ts";
import { TIMINGS_KEY, type Timings, withOverrides } from "../../contract/timings.ts";
import { PanelLog } from "./log/panel-log.ts";
import { errorOf } from "./result-text.ts";
import { type TabSource, TabSources } from "./tab-sources.ts";
import { type ListedTool, route } from "./tool-catalogue.ts";
import { WorkerClient } from "./worker-client.ts";

type Args = Record<string, unknown>;

/** A call under way; `cancel` ends it as `cancelled`. */
export interface PanelCall {
  result: Promise<ToolResult>;
  cancel(): void;
}

export class PanelModel {
  builtins: ListedTool[] = [];
  settings: RelaySettings = parseRelaySettings(undefined);
  /** What happened in this panel and those before; a person exports it. */
  readonly log = new PanelLog();
  private timings: Timings = withOverrides(undefined);
  private readonly listeners = new Set<() => void>();
  private readonly busy = new Map<string, number>();
  private readonly worker = new WorkerClient(() => this.changed());
  private readonly sources = new TabSources(() => this.changed());

  /** What `globalThis.lumoPanel` offers. */
  readonly handle = {
    tools: () => this.allTools().map((entry) => entry.publicName),
    call: (publicName: string, args: Args = {}) => this.call(publicName, args).result,
    relay: () => this.relay,
  };

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get tabs(): TabSource[] {
    return this.sources.list;
  }

  /** `undefined`: no worker runs, and so no relay is connected. */
  get relay(): RelayStatus | undefined {
    return this.worker.status;
  }

  /** The last calls of MCP clients, oldest first. */
  get relayCalls(): readonly RelayCall[] {
    return this.worker.calls;
  }

  /** In the order in which they were added; `undefined` until the worker has told. */
  get providers(): ProviderView[] | undefined {
    return this.worker.providers;
  }

  async start(): Promise<void> {
    chrome.storage.local.onChanged.addListener((changes) => this.localChanged(changes));
    const pages = this.sources.start();
    const local = await chrome.storage.local.get<Record<string, unknown>>([RELAY_SETTINGS_KEY, TIMINGS_KEY]);
    this.settings = parseRelaySettings(local[RELAY_SETTINGS_KEY]);
    this.timings = withOverrides(local[TIMINGS_KEY]);
    await Promise.all([pages, this.announceOpening(), this.loadBuiltins()]);
    this.changed();
  }

  select(tabIds: number[]): void {
    void this.worker.ask({ type: "panel/select", tabIds });
  }

  reconnect(): void {
    void this.worker.ask({ type: "panel/reconnect" });
  }

  /** Returns what was refused, for it is no extension id. */
  async addProviders(ids: string[]): Promise<string[]> {
    const answer = await this.worker.ask({ type: "panel/addProviders", ids });
    return answer && "refused" in answer ? (answer as AddedProviders).refused : [];
  }

  removeProvider(id: string): void {
    void this.worker.ask({ type: "panel/removeProvider", id });
  }

  retryProvider(id: string): void {
    void this.worker.ask({ type: "panel/retryProvider", id });
  }

  offerProvider(id: string, offered: boolean): void {
    void this.worker.ask({ type: "panel/offerProvider", id, offered });
  }

  async saveSettings(settings: RelaySettings): Promise<void> {
    await chrome.storage.local.set({ [RELAY_SETTINGS_KEY]: settings });
    this.worker.connect();
  }

  /** Calls a listed tool by its public name; the result never rejects. */
  call(publicName: string, args: Args): PanelCall {
    const call = this.begun(publicName, args);
    this.logCall(publicName, args, call);
    return call;
  }

  private begun(publicName: string, args: Args): PanelCall {
    const entry = route([this.allTools()], publicName);
    if (!entry) return { result: Promise.resolve(unknownTool(publicName)), cancel: () => {} };
    return entry.tabId === undefined
      ? this.callInWorker(entry, args)
      : this.callPage(entry.tabId, entry.tool, args);
  }

  private logCall(tool: string, args: Args, { result }: PanelCall): void {
    const begun = performance.now();
    void result.then((end) => {
      const milliseconds = Math.round(performance.now() - begun);
      const outcome = errorOf(end)?.code ?? (end.isError === true ? "error" : "ok");
      this.log.add("tool", "call", { tool, args, outcome, milliseconds });
    });
  }

  /** Every tool of the selected tabs, the providers and the extension. */
  allTools(): ListedTool[] {
    const providers = (this.providers ?? []).flatMap(providerTools);
    return [...this.tabs.flatMap((tab) => tab.tools), ...providers, ...this.builtins];
  }

  /** Once a document: a port that connects again later is no opening. */
  private async announceOpening(): Promise<void> {
    const { id } = await chrome.windows.getCurrent();
    if (id !== undefined) await this.worker.ask({ type: "panel/opened", windowId: id });
  }

  private async loadBuiltins(): Promise<void> {
    const answer = await this.worker.ask({ type: "panel/builtins" });
    const tools = answer && "tools" in answer ? (answer.tools as PageTool[]) : [];
    this.builtins = tools.map((tool) => ({ publicName: tool.name, tabId: undefined, tool }));
    this.changed();
  }

  private callPage(tabId: number, tool: PageTool, args: Args): PanelCall {
    const call = this.sources.call(tabId, tool.name, args);
    if (!call) return { result: Promise.resolve(notReady()), cancel: () => {} };
    const key = this.begin(tabId);
    const outcome = call.outcome.then((end) => (end.ok ? end.result : errorResult(end.error)));
    const result = this.withDeadline(outcome, call.cancel).finally(() => this.end(key));
    return { result, cancel: call.cancel };
  }

  /** What only reads may be asked for twice: every built-in, and a provider's tool that says so. */
  private callInWorker(entry: ListedTool, args: Args): PanelCall {
    const callId = crypto.randomUUID();
    const request = { type: "panel/callTool", callId, name: entry.publicName, args } as const;
    const readsOnly = entry.providerId === undefined || entry.tool.annotations?.readOnlyHint === true;
    const asked = readsOnly ? this.worker.ask(request) : this.worker.askOnce(request);
    const gone = () => workerGone(readsOnly);
    const result = asked.then(
      (answer) => (answer && "content" in answer ? (answer as ToolResult) : gone()),
      () => gone(),
    );
    return { result, cancel: () => void this.worker.ask({ type: "panel/cancelTool", callId }) };
  }

  private withDeadline(outcome: Promise<ToolResult>, cancel: () => void): Promise<ToolResult> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(deadlinePassed(this.timings.browserDeadline));
        cancel();
      }, this.timings.browserDeadline);
      void outcome.then((result) => {
        clearTimeout(timer);
        resolve(result);
      });
    });
  }

  private begin(tabId: number): string {
    const key = crypto.randomUUID();
    this.busy.set(key, tabId);
    this.tellBusy();
    return key;
  }

  private end(key: string): void {
    this.busy.delete(key);
    this.tellBusy();
  }

  private tellBusy(): void {
    this.worker.tellBusy([...new Set(this.busy.values())]);
  }

  private localChanged(changes: { [key: string]: chrome.storage.StorageChange }): void {
    const settings = changes[RELAY_SETTINGS_KEY];
    if (settings) this.settings = parseRelaySettings(settings.newValue);
    const timings = changes[TIMINGS_KEY];
    if (timings) this.timings = withOverrides(timings.newValue);
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

function unknownTool(name: string): ToolResult {
  const message = `There is no tool "${name}" any more. Choose one of the list.`;
  return errorResult({ code: "unknown_tool", executed: "no", message });
}

function notReady(): ToolResult {
  const message = "The tab is loading another page. Call again when its tools are listed.";
  return errorResult({ code: "not_ready", executed: "no", message });
}

/** The tools of a provider as the list has them. */
export function providerTools({ id, tools }: ProviderView): ListedTool[] {
  return tools.map(({ publicName, tool }) => ({ publicName, tabId: undefined, providerId: id, tool }));
}

function workerGone(readsOnly: boolean): ToolResult {
  const message = readsOnly
    ? "The extension's worker stopped while the tool ran. Call it again, it only reads."
    : "connection closed before a result; the outcome is unknown. Check what the tool did before you repeat the call.";
  return errorResult({ code: "outcome_unknown", executed: "unknown", message });
}

function deadlinePassed(limit: number): ToolResult {
  const message = `The tool gave no result within ${limit / 1000} s. Check what it did before you repeat the call.`;
  return errorResult({ code: "timeout", executed: "unknown", message });
}
