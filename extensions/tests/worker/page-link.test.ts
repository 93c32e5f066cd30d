import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PageMessage, PortOutput } from "../../contract/page-tools.ts";
import { NO_CONTENT_SCRIPT, PageLink, type PageSnapshot } from "../../host/page-port/page-link.ts";

/** One end of a port; the test plays the content script. */
class FakePort {
  readonly sent: PageMessage[] = [];
  disconnected = false;
  private readonly messageListeners: ((message: PortOutput) => void)[] = [];
  private readonly endListeners: (() => void)[] = [];
  readonly onMessage = {
    addListener: (listener: (message: PortOutput) => void) => this.messageListeners.push(listener),
  };
  readonly onDisconnect = { addListener: (listener: () => void) => this.endListeners.push(listener) };

  postMessage(message: PageMessage): void {
    this.sent.push(message);
  }

  disconnect(): void {
    this.disconnected = true;
  }

  says(message: PortOutput): void {
    for (const listener of this.messageListeners) listener(message);
  }

  falls(): void {
    for (const listener of this.endListeners) listener();
  }

  lists(...names: string[]): void {
    const request = this.sent.find((message) => "id" in message && message.type === "listTools");
    const tools = names.map((name) => ({ name, inputSchema: {} }));
    this.says({
      id: (request as { id: number }).id,
      ok: true,
      result: { tools, state: "ready", rejected: [] },
    });
  }
}

const connect = vi.fn();
const getTab = vi.fn();
let ports: FakePort[];
let seen: PageSnapshot[];

beforeEach(() => {
  vi.useFakeTimers();
  ports = [];
  seen = [];
  connect.mockReset().mockImplementation(() => {
    const port = new FakePort();
    ports.push(port);
    return port;
  });
  getTab.mockReset().mockResolvedValue({ url: "https://next.example/" });
  vi.stubGlobal("chrome", { tabs: { connect, get: getTab }, runtime: {} });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function opened(overrides?: Record<string, unknown>): PageLink {
  const link = new PageLink(7, { changed: (snapshot) => seen.push(snapshot), overrides });
  link.open();
  return link;
}

function last(): FakePort {
  return ports.at(-1)!;
}

describe("a link to a page", () => {
  it("goes to the top frame alone", () => {
    opened();
    expect(connect).toHaveBeenCalledWith(7, { name: "webmcp-page-tools", frameId: 0 });
  });

  it("passes the timing overrides on first of all, where there are any", () => {
    opened({ formWait: 1 });
    expect(last().sent[0]).toEqual({ type: "timings", overrides: { formWait: 1 } });
    opened();
    expect(last().sent[0]).toMatchObject({ type: "listTools" });
  });

  it("is settled by the first list", async () => {
    const link = opened();
    last().lists("a");
    await link.settled;
    expect(link.snapshot.tools.map((tool) => tool.name)).toEqual(["a"]);
  });

  it("follows notifications", () => {
    const link = opened();
    last().lists("a");
    last().says({ type: "toolsChanged", tools: [{ name: "b", inputSchema: {} }], rejected: [] });
    expect(link.snapshot.tools.map((tool) => tool.name)).toEqual(["b"]);
    last().says({ type: "state", state: "none", reason: "no tools here" });
    expect(link.snapshot).toEqual({ state: "none", reason: "no tools here", tools: [], rejected: [] });
  });
});

describe("a port that falls", () => {
  it("empties the list at once and is opened anew", async () => {
    const link = opened();
    last().lists("a");
    last().falls();
    expect(link.snapshot).toEqual({ state: "connecting", tools: [], rejected: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(ports).toHaveLength(2);
    last().lists("b");
    expect(link.snapshot.tools.map((tool) => tool.name)).toEqual(["b"]);
  });

  it("fails the calls in flight as navigated, executed unknown", async () => {
    const link = opened();
    last().lists("a");
    const call = link.call("a", {});
    last().falls();
    const outcome = await call!.outcome;
    expect(outcome).toMatchObject({ ok: false, error: { code: "navigated", executed: "unknown" } });
    expect(outcome.ok ? "" : outcome.error.message).toContain("https://next.example/");
  });

  it("fails them as source_disconnected where the tab was closed", async () => {
    getTab.mockRejectedValue(new Error("No tab"));
    const link = opened();
    last().lists("a");
    const call = link.call("a", {});
    last().falls();
    expect(await call!.outcome).toMatchObject({
      error: { code: "source_disconnected", executed: "unknown" },
    });
  });

  it("that nobody ever answered says that the call did not run", async () => {
    const link = opened();
    const call = link.call("a", {});
    last().falls();
    expect(await call!.outcome).toMatchObject({ error: { code: "not_ready", executed: "no" } });
  });

  it("is given up after some tries, with the reason, until the tab changes", async () => {
    const link = opened();
    for (let attempt = 0; attempt < 10; attempt++) {
      last().falls();
      await vi.advanceTimersByTimeAsync(2_000);
    }
    await link.settled;
    expect(link.snapshot).toMatchObject({ state: "none", reason: NO_CONTENT_SCRIPT });
    const tries = ports.length;
    link.nudge();
    expect(ports).toHaveLength(tries + 1);
  });

  it("offers no call meanwhile", () => {
    const link = opened();
    last().lists("a");
    last().falls();
    expect(link.call("a", {})).toBeUndefined();
  });
});

describe("the relay's hold", () => {
  const held = (port: FakePort) => port.sent.filter((message) => message.type === "relayHeld");

  it("is told once a change, and again to each later document", async () => {
    const link = opened();
    link.setHeld(true);
    link.setHeld(true);
    expect(held(last())).toEqual([{ type: "relayHeld", held: true }]);
    last().lists();
    last().falls();
    await vi.advanceTimersByTimeAsync(0);
    expect(held(last())).toEqual([{ type: "relayHeld", held: true }]);
  });

  it("is taken back before the port is closed: the page must wake nobody", () => {
    const link = opened();
    const port = last();
    link.setHeld(true);
    link.close();
    expect(port.sent.at(-1)).toEqual({ type: "relayHeld", held: false });
    expect(port.disconnected).toBe(true);
  });
});

it("cancels by the id of the call", () => {
  const link = opened();
  last().lists("a");
  const call = link.call("a", {});
  const request = last().sent.find((message) => message.type === "callTool") as { id: number };
  call?.cancel();
  expect(last().sent.at(-1)).toMatchObject({ type: "cancel", target: request.id });
});
