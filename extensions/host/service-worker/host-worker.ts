/** Puts the worker's parts together and goes on from what storage holds. */
import type { ToolResult } from "../../contract/errors.ts";
import type { PanelAnswer, PanelRequest } from "../../contract/panel.ts";
import { PROVIDER_PREFIX } from "../../contract/providers.ts";
import { EXTENSION_SOURCE } from "../../contract/relay-wire.ts";
import {
  parseRelaySettings,
  RELAY_SETTINGS_KEY,
  type RelaySettings,
  TAB_SELECTION_KEY,
} from "../../contract/settings.ts";
import { TIMINGS, TIMINGS_KEY, type Timings, withOverrides } from "../../contract/timings.ts";
import { ProviderHub } from "../mcp/provider-hub.ts";
import { answerProviderRequest, isProviderRequest } from "../mcp/provider-requests.ts";
import { BuiltinBackend } from "./builtin-backend.ts";
import { BUILTIN_TOOLS, type BuiltinHost, type Caller, callBuiltin } from "./builtin-tools.ts";
import { CallRegistry } from "./calls.ts";
import { CONNECTOR_KEY, parseMemory } from "./connector-memory.ts";
import { injectIntoOpenTabs } from "./inject.ts";
import { PanelHub } from "./panel-hub.ts";
import { RelayConnector } from "./relay-connector.ts";
import { RelayLog } from "./relay-log.ts";
import { RelaySource, type SourceEvents } from "./relay-source.ts";
import { TabBackend } from "./tab-backend.ts";
import { TabSourceManager } from "./tab-source-manager.ts";

/** Set in `storage.session` once the open tabs have been seen to; an update or a restart clears it. */
const INJECTED_KEY = "injectedIntoOpenTabs";

type Changes = { [key: string]: chrome.storage.StorageChange };

export class HostWorker {
  readonly panels = new PanelHub(
    {
      relay: () => this.connector.status,
      providers: () => this.providers.views,
      calls: () => this.relayLog.calls,
    },
    () => this.ready,
  );
  /** Resolves when what earlier workers stored is in place. */
  readonly ready: Promise<void>;
  private timings: Timings = { ...TIMINGS };
  private overrides: Record<string, unknown> | undefined;
  private settings: RelaySettings = parseRelaySettings(undefined);
  private readonly calls = new CallRegistry(() => this.timings);
  private readonly relayLog = new RelayLog((call) => this.panels.tellCall(call));
  private readonly selection = new TabSourceManager({
    busyTabs: () => new Set([...this.calls.busyTabs(), ...this.panels.busyTabs()]),
    changed: () => this.connector.select(this.sourceIds()),
  });
  private readonly connector = new RelayConnector({
    timings: () => this.timings,
    makeSource: (id, events) => this.makeSource(id, events),
    statusChanged: () => this.panels.push("relay"),
    serving: (serves) => this.watchTabs(serves),
  });
  private extensionSource: BuiltinBackend | undefined;
  private readonly providers = new ProviderHub({
    patience: () => this.timings.handshakeAttempt,
    changed: () => this.panels.push("providers"),
    offerChanged: () => this.extensionSource?.offerChanged(),
  });
  private readonly builtinHost: BuiltinHost = {
    selectedTabIds: async () => {
      await this.ready;
      return [...this.selection.tabIds];
    },
    listAllTabs: () => this.settings.listAllTabs === true,
  };

  /** Must run in the worker's first task: it registers a listener. */
  constructor() {
    this.watchTabs(true);
    this.ready = this.start();
  }

  async onPanelRequest(request: PanelRequest): Promise<PanelAnswer> {
    await this.ready;
    if (isProviderRequest(request)) return answerProviderRequest(this.providers, request);
    switch (request.type) {
      case "panel/opened":
        this.providers.refreshAll();
        await this.selection.panelOpened(request.windowId);
        this.connector.refresh(false);
        return { done: true };
      case "panel/select":
        this.selection.select(request.tabIds);
        return { done: true };
      case "panel/reconnect":
        this.connector.refresh(true);
        return { done: true };
      case "panel/builtins":
        return { tools: BUILTIN_TOOLS };
      case "panel/callTool":
        return this.runForPanel(request.callId, request.name, request.args);
      case "panel/cancelTool":
        this.calls.cancel(panelKey(request.callId));
        return { done: true };
    }
  }

  async onAlarm(): Promise<void> {
    await this.ready;
    this.connector.onAlarm();
  }

  async onTabRemoved(tabId: number): Promise<void> {
    await this.ready;
    this.selection.tabClosed(tabId);
  }

  async onTabReplaced(added: number, removed: number): Promise<void> {
    await this.ready;
    this.selection.tabReplaced(added, removed);
  }

  async onLocalChanged(changes: Changes): Promise<void> {
    await this.ready;
    if (changes[TIMINGS_KEY]) this.takeTimings(changes[TIMINGS_KEY].newValue);
    if (changes[RELAY_SETTINGS_KEY]) this.takeSettings(changes[RELAY_SETTINGS_KEY].newValue);
    await this.providers.localChanged(changes);
  }

  async onSessionChanged(changes: Changes): Promise<void> {
    await this.ready;
    if (changes[TAB_SELECTION_KEY]) this.selection.adopt(changes[TAB_SELECTION_KEY].newValue);
  }

  private readonly tabUpdated = (tabId: number, _change: unknown, tab: chrome.tabs.Tab): void => {
    this.connector.source(String(tabId))?.backend.tabChanged(tab);
  };

  /** Every page of the browser that loads or renames itself makes this event: listened to only while it is of use. */
  private watchTabs(watch: boolean): void {
    if (watch) chrome.tabs.onUpdated.addListener(this.tabUpdated);
    else chrome.tabs.onUpdated.removeListener(this.tabUpdated);
  }

  private async start(): Promise<void> {
    const [local, session] = await Promise.all([
      chrome.storage.local.get([RELAY_SETTINGS_KEY, TIMINGS_KEY]),
      chrome.storage.session.get([TAB_SELECTION_KEY, CONNECTOR_KEY, INJECTED_KEY]),
    ]);
    this.takeTimings(local[TIMINGS_KEY]);
    await Promise.all([this.selection.start(session[TAB_SELECTION_KEY]), this.providers.start()]);
    this.settings = parseRelaySettings(local[RELAY_SETTINGS_KEY]);
    this.connector.start(this.settings, this.sourceIds(), parseMemory(session[CONNECTOR_KEY]));
    this.panels.announceWorker();
    if (session[INJECTED_KEY] !== true) this.injectOnce();
  }

  private injectOnce(): void {
    void chrome.storage.session.set({ [INJECTED_KEY]: true });
    void injectIntoOpenTabs((tab) => this.connector.source(String(tab.id))?.backend.tabChanged(tab));
  }

  private takeTimings(overrides: unknown): void {
    this.timings = withOverrides(overrides);
    const given = typeof overrides === "object" && overrides !== null;
    this.overrides = given ? (overrides as Record<string, unknown>) : undefined;
  }

  private takeSettings(stored: unknown): void {
    const settings = parseRelaySettings(stored);
    if (!sameRelay(settings, this.settings)) this.connector.configure(settings);
    this.settings = settings;
  }

  private sourceIds(): string[] {
    return [EXTENSION_SOURCE, ...this.selection.tabIds.map(String)];
  }

  private makeSource(id: string, events: SourceEvents): RelaySource {
    const backend = id === EXTENSION_SOURCE ? this.makeExtension() : this.makeTab(Number(id));
    return new RelaySource(backend, this.calls, events, this.relayLog);
  }

  private makeExtension(): BuiltinBackend {
    this.extensionSource = new BuiltinBackend(this.builtinHost, this.providers);
    return this.extensionSource;
  }

  private makeTab(tabId: number): TabBackend {
    return new TabBackend(tabId, {
      overrides: () => this.overrides,
      gone: () => this.selection.tabClosed(tabId),
      builtin: (name, args, signal) => this.builtin(name, args, "relay", signal),
    });
  }

  private builtin(
    name: string,
    args: Record<string, unknown>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    return callBuiltin(this.builtinHost, name, args, caller, signal);
  }

  private runForPanel(callId: string, name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return this.calls.run(panelKey(callId), undefined, (signal) =>
      name.startsWith(PROVIDER_PREFIX)
        ? this.providers.call(name, args, "panel", signal)
        : this.builtin(name, args, "panel", signal),
    );
  }
}

/** Whether both mean the same connection; what the relay may see is no reason to connect anew. */
function sameRelay(one: RelaySettings, other: RelaySettings): boolean {
  const connection = ({ listAllTabs: _, ...rest }: RelaySettings) => JSON.stringify(rest);
  return connection(one) === connection(other);
}

function panelKey(callId: string): string {
  return `panel/${callId}`;
}
