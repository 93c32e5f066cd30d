import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerHello } from "../../contract/relay-wire.ts";
import { DEFAULT_RELAY_SETTINGS } from "../../contract/settings.ts";
import { TIMINGS } from "../../contract/timings.ts";
import type { ConnectorMemory } from "../../host/service-worker/connector-memory.ts";
import { RelayConnector } from "../../host/service-worker/relay-connector.ts";
import type { RelaySocket, SocketEnd } from "../../host/service-worker/relay-socket.ts";
import type { RelaySource, SourceEvents } from "../../host/service-worker/relay-source.ts";

const HELLO: ServerHello = {
  type: "server-hello",
  service: "webmcp-local-relay",
  version: 1,
  host: "127.0.0.1",
  instanceId: "i",
  relayId: "r",
  port: 9333,
};
const IDS = ["extension", "7"];

const { findRelay } = vi.hoisted(() => ({ findRelay: vi.fn() }));
vi.mock("../../host/service-worker/scan.ts", () => ({ findRelay, portsOf: () => [9333, 9334, 9335] }));

/** A source whose socket does what the test says. */
class FakeSource {
  up = false;
  busy = false;
  rejected: string | undefined;
  readonly backend: { id: string };
  readonly open = vi.fn(() => {
    this.busy = true;
  });
  readonly adopt = vi.fn(() => this.connect());
  readonly close = vi.fn(() => this.drop());
  readonly rest = vi.fn();

  constructor(
    id: string,
    private readonly events: SourceEvents,
  ) {
    this.backend = { id };
  }

  get status() {
    return { id: this.backend.id, up: this.up, tools: 0, dropped: 0 };
  }

  connect(): void {
    this.busy = true;
    this.up = true;
    this.events.up(this as unknown as RelaySource, HELLO);
  }

  fail(end: SocketEnd = { kind: "failed" }): void {
    this.drop();
    this.events.down(this as unknown as RelaySource, end);
  }

  private drop(): void {
    this.busy = false;
    this.up = false;
  }
}

const stored = vi.fn(async (_items: { relayConnector: ConnectorMemory }) => {});
const createAlarm = vi.fn(async (_name: string, _info: { when: number }) => {});
const serving = vi.fn();
let sources: Map<string, FakeSource>;

function started(memory?: ConnectorMemory, enabled = true): RelayConnector {
  const connector = new RelayConnector({
    timings: () => TIMINGS,
    makeSource: (id, events) => {
      const source = new FakeSource(id, events);
      sources.set(id, source);
      return source as unknown as RelaySource;
    },
    statusChanged: () => {},
    serving,
  });
  connector.start({ ...DEFAULT_RELAY_SETTINGS, enabled }, IDS, memory);
  return connector;
}

function source(id: string): FakeSource {
  const found = sources.get(id);
  if (!found) throw new Error(`no source ${id}`);
  return found;
}

function lastMemory(): ConnectorMemory | undefined {
  return stored.mock.lastCall?.[0].relayConnector;
}

/** Lets the pending search end. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

const ENDPOINT = { host: "127.0.0.1", port: 9334 };
const socket = { ended: false, endpoint: ENDPOINT, close: vi.fn() } as unknown as RelaySocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("chrome", {
    storage: { session: { set: stored } },
    alarms: { create: createAlarm, clear: vi.fn() },
  });
  for (const mock of [stored, createAlarm, serving, findRelay]) mock.mockReset();
  findRelay.mockResolvedValue(undefined);
  sources = new Map();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a worker's start", () => {
  it("connects at once to a stored endpoint, every source at the same time", () => {
    started({ endpoint: ENDPOINT });
    for (const id of IDS) expect(source(id).open).toHaveBeenCalledTimes(1);
    expect(findRelay).not.toHaveBeenCalled();
  });

  it("scans where nothing is stored", async () => {
    started();
    await settle();
    expect(findRelay.mock.calls[0]?.[0]).toEqual([9333, 9334, 9335]);
  });

  it("does nothing while an alarm is awaited", async () => {
    const connector = started({ waiting: { step: 1 } });
    await settle();
    expect(findRelay).not.toHaveBeenCalled();
    expect(serving).toHaveBeenLastCalledWith(false);
    expect(connector.status.phase).toBe("waiting");
  });

  it("does nothing when switched off, and forgets the endpoint", async () => {
    const connector = started({ endpoint: ENDPOINT }, false);
    await settle();
    expect(source("7").open).not.toHaveBeenCalled();
    expect(lastMemory()).toEqual({});
    expect(connector.status.phase).toBe("off");
  });
});

describe("a lost relay", () => {
  it("is tried five times at growing pauses, then the range is scanned, then alarms are set", async () => {
    started({ endpoint: ENDPOINT });
    for (const id of IDS) source(id).connect();
    for (const id of IDS) source(id).fail({ kind: "lost" });
    const opened = source("7").open.mock.calls.length;
    for (let attempt = 1; attempt <= 5; attempt++) {
      await vi.advanceTimersByTimeAsync(3_500);
      expect(source("7").open).toHaveBeenCalledTimes(opened + attempt);
      for (const id of IDS) source(id).fail();
    }
    await settle();
    expect(findRelay).toHaveBeenCalledTimes(1);
    expect(lastMemory()).toEqual({ waiting: { step: 0, lastPort: 9334 } });
    expect(serving).toHaveBeenLastCalledWith(false);
  });

  it("leaves no source trying when its socket ends after the search has", async () => {
    const connector = started({ endpoint: ENDPOINT });
    for (let attempt = 0; attempt <= 5; attempt++) {
      source("extension").fail();
      await vi.advanceTimersByTimeAsync(3_500);
    }
    expect(lastMemory()?.waiting).toBeDefined();
    source("7").fail();
    expect(connector.status.phase).toBe("waiting");
    expect(source("7").rest).toHaveBeenCalled();
  });

  it("that one of several sources lost is no reason to scan", async () => {
    started({ endpoint: ENDPOINT });
    source("extension").connect();
    for (let attempt = 0; attempt <= 6; attempt++) {
      source("7").fail();
      await vi.advanceTimersByTimeAsync(3_500);
    }
    expect(findRelay).not.toHaveBeenCalled();
  });
});

describe("the alarms", () => {
  it("look at the last port and the range's first, at growing distances", async () => {
    const connector = started({ waiting: { step: 0, lastPort: 9335 } });
    connector.onAlarm();
    await settle();
    expect(findRelay.mock.calls[0]?.[0]).toEqual([9335, 9333]);
    expect(lastMemory()?.waiting).toEqual({ step: 1, lastPort: 9335 });
    expect(createAlarm.mock.lastCall?.[1].when).toBe(Date.now() + TIMINGS.alarmSecond);
  });

  it("take the relay that they find, its socket and all", async () => {
    const connector = started({ waiting: { step: 3, lastPort: 9335 } });
    findRelay.mockResolvedValue(socket);
    connector.onAlarm();
    await settle();
    expect(source("extension").adopt).toHaveBeenCalledWith(socket);
    expect(source("7").open).toHaveBeenCalledWith(ENDPOINT, expect.anything(), expect.anything());
    expect(lastMemory()).toEqual({ endpoint: ENDPOINT });
  });
});

describe("a cause for a full scan", () => {
  it.each([
    ["the panel's opening", (connector: RelayConnector) => connector.refresh(false)],
    ["another selection", (connector: RelayConnector) => connector.select(["extension", "8"])],
    ["other settings", (connector: RelayConnector) => connector.configure({ ...DEFAULT_RELAY_SETTINGS })],
  ])("is %s", async (_name, cause) => {
    const connector = started({ waiting: { step: 2 } });
    cause(connector);
    await settle();
    expect(findRelay.mock.calls[0]?.[0]).toEqual([9333, 9334, 9335]);
  });

  it("during an alarm's narrow search is not lost", async () => {
    const connector = started({ waiting: { step: 2 } });
    connector.onAlarm();
    connector.refresh(false);
    await settle();
    expect(findRelay).toHaveBeenCalledTimes(2);
    expect(findRelay.mock.calls[1]?.[0]).toEqual([9333, 9334, 9335]);
  });

  it("is nothing while all sources are connected", async () => {
    const connector = started({ endpoint: ENDPOINT });
    for (const id of IDS) source(id).connect();
    connector.refresh(true);
    await settle();
    expect(findRelay).not.toHaveBeenCalled();
  });
});

describe("a rejection", () => {
  it("keeps the source away for the pause, over recycles, and then asks again", async () => {
    const first = started({ endpoint: ENDPOINT });
    for (const id of IDS) source(id).fail({ kind: "rejected", message: "no" });
    expect(first.status.phase).toBe("rejected");
    const memory = lastMemory();

    const later = started(memory);
    expect(source("7").open).not.toHaveBeenCalled();
    later.refresh(false);
    expect(source("7").open).not.toHaveBeenCalled();

    await vi.advanceTimersByTimeAsync(TIMINGS.rejectionPause + 1);
    later.onAlarm();
    expect(source("7").open).toHaveBeenCalledTimes(1);
  });

  it("is forgiven when the person asks", async () => {
    const connector = started({ endpoint: ENDPOINT });
    for (const id of IDS) source(id).fail({ kind: "rejected", message: "no" });
    findRelay.mockResolvedValue(socket);
    connector.refresh(true);
    await settle();
    expect(source("extension").adopt).toHaveBeenCalled();
  });
});

it("closes what is deselected and opens what is new, and nothing else", () => {
  const connector = started({ endpoint: ENDPOINT });
  for (const id of IDS) source(id).connect();
  const kept = source("extension");
  const gone = source("7");
  connector.select(["extension", "8"]);
  expect(gone.close).toHaveBeenCalledTimes(1);
  expect(kept.close).not.toHaveBeenCalled();
  expect(source("8").open).toHaveBeenCalledTimes(1);
});
