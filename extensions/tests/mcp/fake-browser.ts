/** A browser in memory with provider extensions in it: storage, probes, ports. */
import { vi } from "vitest";
import { PORT_NAME } from "../../contract/lumo.ts";

type Json = Record<string, unknown>;
type Listener = (message: unknown) => void;

export class FakeProvider {
  status: Json = { enabled: true, authorized: true, ready: true, pendingApproval: false };
  tools = ["echo"];
  /** Methods that get no answer. */
  silent: unknown[] = [];
  /** Runs at each listing. */
  afterListing = (): void => undefined;
  probes = 0;
  /** Requests in order, over all ports. */
  readonly requests: Json[] = [];
  private readonly ends: ProviderEnd[] = [];

  constructor(readonly namespace: string) {}

  get openPorts(): number {
    return this.ends.filter((end) => end.open).length;
  }

  answerProbe(): Json {
    this.probes += 1;
    return {
      ok: true,
      service: { namespace: this.namespace, name: "Fake", version: "1" },
      status: this.status,
    };
  }

  connect(): ProviderEnd {
    const end = new ProviderEnd(this);
    this.ends.push(end);
    return end;
  }

  /** The worker stops: every port falls. */
  stop(): void {
    for (const end of this.ends) end.fall();
  }

  notify(method: string): void {
    for (const end of this.ends.filter(({ open }) => open)) end.tell({ jsonrpc: "2.0", method });
  }

  result(method: unknown): Json {
    if (method === "tools/list") {
      this.afterListing();
      return { tools: this.tools.map(definition) };
    }
    if (method === "tools/call") return { content: [] };
    const capabilities = { tools: { listChanged: true } };
    return { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "Fake", version: "1" } };
  }
}

/** A tool that only reads if it is called `look`. */
function definition(name: string): Json {
  return { name, inputSchema: { type: "object" }, annotations: { readOnlyHint: name === "look" } };
}

/** A port as the host holds it. */
class ProviderEnd {
  open = true;
  private readonly messages: Listener[] = [];
  private readonly endings: (() => void)[] = [];
  readonly onMessage = { addListener: (listener: Listener) => this.messages.push(listener) };
  readonly onDisconnect = { addListener: (listener: () => void) => this.endings.push(listener) };

  constructor(private readonly provider: FakeProvider) {}

  postMessage(message: Json): void {
    if (!this.open) throw new Error("Attempting to use a disconnected port object");
    this.provider.requests.push(message);
    if (message.id === undefined || this.provider.silent.includes(message.method)) return;
    this.tell({ jsonrpc: "2.0", id: message.id, result: this.provider.result(message.method) });
  }

  disconnect(): void {
    this.open = false;
  }

  tell(message: Json): void {
    queueMicrotask(() => {
      if (this.open) for (const listener of this.messages) listener(message);
    });
  }

  fall(): void {
    if (!this.open) return;
    this.open = false;
    for (const listener of this.endings) listener();
  }
}

export interface FakeBrowser {
  providers: Map<string, FakeProvider>;
  local: Json;
  session: Json;
}

function area(items: Json) {
  return {
    get: async (keys: string | string[]) => {
      const wanted = [keys].flat().filter((key) => key in items);
      return structuredClone(Object.fromEntries(wanted.map((key) => [key, items[key]])));
    },
    set: async (more: Json) => void Object.assign(items, JSON.parse(JSON.stringify(more))),
    remove: async (key: string) => void delete items[key],
  };
}

/** Puts `chrome` in place. Storage outlives a hub, as it outlives a worker. */
export function fakeBrowser(): FakeBrowser {
  const browser: FakeBrowser = { providers: new Map(), local: {}, session: {} };
  const runtime = {
    id: "h".repeat(32),
    getManifest: () => ({ name: "Host", version: "1" }),
    sendMessage: async (id: string) => {
      const provider = browser.providers.get(id);
      if (!provider) throw new Error("Could not establish connection. Receiving end does not exist.");
      return provider.answerProbe();
    },
    connect: (id: string, { name }: { name: string }) => {
      if (name !== PORT_NAME) throw new Error(name);
      return browser.providers.get(id)!.connect();
    },
  };
  const storage = { local: area(browser.local), session: area(browser.session) };
  vi.stubGlobal("chrome", { runtime, storage });
  return browser;
}
