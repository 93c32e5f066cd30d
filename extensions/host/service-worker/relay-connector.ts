/** The one connector of the browser: which relay, when to try again, when to rest. */
import type { RelayPhase, RelayStatus } from "../../contract/panel.ts";
import type { ServerHello } from "../../contract/relay-wire.ts";
import { type RelaySettings, settingsProblem } from "../../contract/settings.ts";
import type { Timings } from "../../contract/timings.ts";
import { alarmDistance, retryPause } from "./backoff.ts";
import { type ConnectorMemory, rejectionsOf, remember } from "./connector-memory.ts";
import type { RelaySocket, SocketEnd } from "./relay-socket.ts";
import type { RelaySource, SourceEvents } from "./relay-source.ts";
import { findRelay, portsOf } from "./scan.ts";

export const RELAY_ALARM = "relay";

export interface ConnectorOptions {
  timings(): Timings;
  /** Makes the source of a tab id as text, or of `extension`. */
  makeSource(id: string, events: SourceEvents): RelaySource;
  statusChanged(): void;
  /** Whether sources are there to be kept up; without a relay nothing but an alarm or a person may wake the worker. */
  serving(serves: boolean): void;
}

export class RelayConnector {
  private readonly sources = new Map<string, RelaySource>();
  private settings: RelaySettings | undefined;
  private memory: ConnectorMemory = {};
  private hello: ServerHello | undefined;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** The search that runs, and whether it covers the whole range. */
  private search: { full: boolean } | undefined;
  private scanQueued = false;
  private nextTryAt: number | undefined;
  private readonly sourceEvents: SourceEvents = {
    up: (_source, hello) => this.sourceUp(hello),
    down: (source, end) => this.sourceDown(source, end),
    changed: () => this.options.statusChanged(),
  };

  constructor(private readonly options: ConnectorOptions) {}

  /** First call of a worker's life: goes on where the one before was stopped. */
  start(settings: RelaySettings, ids: readonly string[], memory: ConnectorMemory | undefined): void {
    this.settings = settings;
    this.memory = memory ?? {};
    this.arrange(ids);
    if (!this.usable) this.switchOff();
    else if (this.memory.endpoint) this.openMissing();
    else if (this.memory.waiting) this.options.serving(false);
    else this.scan();
  }

  /** Other settings: every socket goes, then a full scan of the new range. */
  configure(settings: RelaySettings): void {
    this.settings = settings;
    this.disconnect();
    if (this.usable) this.scan();
    else this.switchOff();
  }

  /** The sources that are wanted now; the sockets of the others close at once. */
  select(ids: readonly string[]): void {
    this.arrange(ids);
    if (this.usable) this.openOrScan();
    this.options.statusChanged();
  }

  /** The panel was opened, or the user asks: look through the whole range unless all is well. */
  refresh(forgiveRejections: boolean): void {
    if (forgiveRejections) this.memory.rejected = {};
    if (this.usable && this.missing().length > 0) this.openOrScan();
  }

  onAlarm(): void {
    if (!this.usable) return;
    if (this.memory.endpoint) this.checkEndpoint();
    else this.lookAgain();
  }

  /** A relay is connected, or a source of ours was rejected or given up: the alarm goes on. */
  private checkEndpoint(): void {
    this.note(this.memory, this.options.timings().alarmRest);
    this.openMissing();
  }

  private lookAgain(): void {
    const { step = -1, lastPort } = this.memory.waiting ?? {};
    const ports = [lastPort, this.settings?.ports[0]].filter((port) => port !== undefined);
    this.look([...new Set(ports)], step + 1, false);
  }

  source(id: string): RelaySource | undefined {
    return this.sources.get(id);
  }

  get status(): RelayStatus {
    const { settings } = this;
    const problem = settings && settingsProblem(settings);
    return {
      phase: this.phase,
      host: settings?.host ?? "",
      ports: settings?.ports ?? [0, 0],
      ...(problem ? { problem } : {}),
      ...(this.connected && this.hello ? { relay: relayOf(this.hello) } : {}),
      ...(this.nextTryAt !== undefined && !this.connected ? { nextTryAt: this.nextTryAt } : {}),
      sources: [...this.sources.values()].map((source) => source.status),
    };
  }

  private get phase(): RelayPhase {
    if (!this.settings?.enabled) return "off";
    if (!this.usable) return "invalid";
    if (this.connected) return "connected";
    if (this.search) return "scanning";
    if (this.retry !== undefined || this.anyBusy) return "connecting";
    return this.missing().length === 0 ? "rejected" : "waiting";
  }

  private get usable(): boolean {
    return this.settings?.enabled === true && settingsProblem(this.settings) === undefined;
  }

  private get connected(): boolean {
    return [...this.sources.values()].some((source) => source.up);
  }

  private get anyBusy(): boolean {
    return [...this.sources.values()].some((source) => source.busy);
  }

  /** Sources without a socket that may have one. */
  private missing(): RelaySource[] {
    const now = Date.now();
    const rejected = this.memory.rejected ?? {};
    return [...this.sources.values()].filter(
      (source) => !source.busy && (rejected[source.backend.id]?.until ?? 0) <= now,
    );
  }

  private arrange(ids: readonly string[]): void {
    for (const [id, source] of this.sources) {
      if (ids.includes(id)) continue;
      this.sources.delete(id);
      source.close();
    }
    for (const id of ids) {
      if (this.sources.has(id)) continue;
      const source = this.options.makeSource(id, this.sourceEvents);
      source.rejected = this.memory.rejected?.[id]?.message;
      this.sources.set(id, source);
    }
  }

  private disconnect(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    for (const source of this.sources.values()) source.close();
    this.memory = {};
    this.hello = undefined;
  }

  private switchOff(): void {
    this.disconnect();
    this.nextTryAt = undefined;
    remember(this.memory);
    void chrome.alarms.clear(RELAY_ALARM);
    this.options.serving(false);
    this.options.statusChanged();
  }

  /** Opens every source that has no socket, all at the same time. */
  private openMissing(): void {
    const { endpoint } = this.memory;
    if (!endpoint || !this.settings) return;
    this.options.serving(true);
    for (const source of this.missing())
      source.open(endpoint, this.settings, this.options.timings().reconnectMax);
    this.options.statusChanged();
  }

  private sourceUp(hello: ServerHello): void {
    const first = this.failures > 0 || this.hello?.instanceId !== hello.instanceId;
    this.failures = 0;
    this.hello = hello;
    // Recorded once a relay: a fresh worker then connects at once, and an alarm is there where no page can wake it.
    if (first) this.note(this.memory, this.options.timings().alarmRest);
    this.options.statusChanged();
  }

  private sourceDown(source: RelaySource, end: SocketEnd): void {
    if (end.kind === "rejected") this.reject(source, end.message);
    else if (this.memory.endpoint) this.tryAgain();
    else source.rest();
    this.options.statusChanged();
  }

  private reject(source: RelaySource, message: string): void {
    const pause = this.options.timings().rejectionPause;
    const entry = { until: Date.now() + pause, message };
    const rejected = { ...this.memory.rejected, [source.backend.id]: entry };
    this.note({ ...this.memory, rejected }, pause);
  }

  private tryAgain(): void {
    if (this.retry !== undefined || this.search) return;
    const pause = retryPause(this.failures, this.options.timings());
    if (pause === undefined) this.exhausted();
    else this.retryIn(pause);
  }

  private retryIn(pause: number): void {
    this.failures += 1;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.openMissing();
    }, pause);
  }

  private exhausted(): void {
    this.failures = 0;
    if (!this.connected) this.scan();
  }

  /** A relay that is known is tried again at once; otherwise the whole range is looked through. */
  private openOrScan(): void {
    if (this.connected || this.anyBusy) this.openMissing();
    else this.scan();
  }

  private scan(): void {
    if (this.settings) this.look(portsOf(this.settings), 0, true);
  }

  /** Probes `ports`; if none has a relay for us, the alarm number `step` is set. One search at a time. */
  private look(ports: number[], step: number, full: boolean): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    const { search, settings } = this;
    if (search) this.scanQueued ||= full && !search.full;
    if (search || !settings) return;
    this.search = { full };
    void findRelay(ports, settings, this.options.timings()).then((socket) =>
      this.searched(socket, settings, step),
    );
    this.options.statusChanged();
  }

  private searched(socket: RelaySocket | undefined, settings: RelaySettings, step: number): void {
    const stale = settings !== this.settings;
    const again = stale || this.scanQueued;
    this.search = undefined;
    this.scanQueued = false;
    if (socket && !socket.ended && !stale) this.adopt(socket);
    else if (this.usable) this.notFound(socket, again, step);
    this.options.statusChanged();
  }

  private notFound(unwanted: RelaySocket | undefined, again: boolean, step: number): void {
    unwanted?.close();
    if (again) this.scan();
    else this.wait(step);
  }

  private adopt(socket: RelaySocket): void {
    this.failures = 0;
    this.memory = { ...rejectionsOf(this.memory), endpoint: socket.endpoint };
    const [first] = this.missing();
    if (first) first.adopt(socket);
    else socket.close();
    this.openMissing();
  }

  private wait(step: number): void {
    for (const source of this.sources.values()) source.rest();
    this.options.serving(false);
    const lastPort = this.memory.endpoint?.port ?? this.memory.waiting?.lastPort;
    const waiting = lastPort === undefined ? { step } : { step, lastPort };
    this.note({ ...rejectionsOf(this.memory), waiting }, alarmDistance(step, this.options.timings()));
  }

  private note(memory: ConnectorMemory, alarmIn: number): void {
    this.memory = memory;
    this.nextTryAt = Date.now() + alarmIn;
    remember(this.memory);
    void chrome.alarms.create(RELAY_ALARM, { when: this.nextTryAt });
  }
}

function relayOf(hello: ServerHello): NonNullable<RelayStatus["relay"]> {
  const { port, relayId, label, workspace } = hello;
  return {
    port,
    relayId,
    ...(label === undefined ? {} : { label }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}
