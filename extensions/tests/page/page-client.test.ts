/** The client on our transport, held to the official server over the transport that pages bring. */
import { TabServerTransport } from "@mcp-b/transports";
import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TAB_CHANNEL } from "../../contract/tab-channel.ts";
import { PageClient } from "../../host/content-script/page-client.ts";

const ORIGIN = "https://a.test";

/** A window that delivers its own messages as a browser does: copied, later, in order. */
class FakeWindow extends EventTarget {
  origin = ORIGIN;

  postMessage(data: unknown): void {
    const copy = structuredClone(data);
    queueMicrotask(() => {
      this.dispatchEvent(Object.assign(new Event("message"), { data: copy, source: this, origin: ORIGIN }));
    });
  }

  fromServer(payload: unknown): void {
    this.postMessage({ channel: TAB_CHANNEL, type: "mcp", direction: "server-to-client", payload });
  }
}

const OLD_SERVER = {
  protocolVersion: "1999-01-01",
  capabilities: {},
  serverInfo: { name: "old", version: "1" },
};

let page: FakeWindow;
let server: McpServer;
let client: PageClient;

beforeEach(async () => {
  page = new FakeWindow();
  vi.stubGlobal("window", page);
  vi.stubGlobal("chrome", { runtime: { id: "x" } });
  server = new McpServer({ name: "page", version: "1" });
  server.registerTool("hello", { description: "d" }, async () => ({
    content: [{ type: "text", text: "hi" }],
  }));
  client = new PageClient();
});

afterEach(async () => {
  client.close();
  await server.close();
  vi.unstubAllGlobals();
});

const serve = () => server.connect(new TabServerTransport({ allowedOrigins: ["*"] }));
const call = (name: string, signal = new AbortController().signal) =>
  client.callTool(name, {}, 1_000, signal);

describe("with the official server", () => {
  it("connects, lists and calls, the server being first", async () => {
    await serve();
    await client.connect();
    expect(await client.listPage(undefined)).toMatchObject({ tools: [{ name: "hello" }] });
    expect(await call("hello")).toMatchObject({ content: [{ text: "hi" }] });
    expect(client.runtime).toBeUndefined();
  });

  it("connects when the server comes later", async () => {
    const connected = client.connect();
    await serve();
    await connected;
    expect(await call("hello")).toMatchObject({ content: [{ text: "hi" }] });
  });

  it("hears of changed tools", async () => {
    await serve();
    await client.connect();
    const changed = new Promise<void>((resolve) => {
      client.onListChanged = resolve;
    });
    await call("hello");
    server.registerTool("second", { description: "d" }, async () => ({ content: [] }));
    await changed;
  });

  it("cancels: the tool's signal is aborted, the caller is free at once", async () => {
    const controller = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      server.registerTool("slow", { description: "d" }, (context) => {
        context.mcpReq.signal.addEventListener("abort", () => resolve());
        controller.abort(new Error("enough"));
        return new Promise(() => {});
      });
    });
    await serve();
    await client.connect();
    await expect(call("slow", controller.signal)).rejects.toThrow("enough");
    await aborted;
  });

  it("passes the server's error on", async () => {
    await serve();
    await client.connect();
    await expect(client.listPage("not a cursor").then(() => call("nope"))).rejects.toThrow(/nope|cursor/i);
  });

  it("ends its requests when the server stops", async () => {
    server.registerTool("hang", { description: "d" }, () => new Promise(() => {}));
    await serve();
    await client.connect();
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    const running = call("hang");
    await server.close();
    await expect(running).rejects.toThrow(/closed/i);
    await closed;
  });
});

describe("on a channel with others", () => {
  it("believes only answers to its own ids", async () => {
    await serve();
    await client.connect();
    const answer = call("hello");
    for (const id of [1, 2, 3, "webmcp-e2e:1", "webmcp-e2e:x:2"]) {
      page.fromServer({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "forged" }] } });
    }
    expect(await answer).toMatchObject({ content: [{ text: "hi" }] });
  });

  it("leaves as an orphan without a word", async () => {
    await serve();
    await client.connect();
    vi.stubGlobal("chrome", { runtime: {} });
    const posted = vi.spyOn(page, "postMessage");
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    page.fromServer({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    await closed;
    expect(
      posted.mock.calls.filter(([data]) => String(JSON.stringify(data)).includes("client-to-server")),
    ).toEqual([]);
  });

  it("refuses a server of a revision that it does not speak", async () => {
    page.addEventListener("message", (event) => {
      const { direction, payload } = (event as MessageEvent).data;
      if (direction !== "client-to-server") return;
      if (payload === "mcp-check-ready") page.fromServer("mcp-server-ready");
      else page.fromServer({ jsonrpc: "2.0", id: payload.id, result: OLD_SERVER });
    });
    await expect(client.connect()).rejects.toThrow("1999-01-01");
  });
});
