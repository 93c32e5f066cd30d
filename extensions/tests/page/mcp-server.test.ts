/** Our MAIN world server held to the official client: the SDK's own schemas check every answer. */
import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ERROR_META } from "../../contract/errors.ts";
import { PAGE_SERVER_NAME, RUNTIME_CAPABILITY } from "../../contract/tab-channel.ts";
import { McpServer } from "../../host/main-world/mcp-server.ts";
import type { ExecuteOptions, RegisteredTool } from "../../host/main-world/model-context.ts";
import { PageTools } from "../../host/main-world/page-tools.ts";

class FakeContext extends EventTarget {
  readonly executed: [string, unknown][] = [];
  tools: RegisteredTool[] = [
    { name: "echo", title: "Echo", description: "d", inputSchema: { properties: { a: {} } } },
    { name: "bare", description: "no schema" },
    { name: "text_schema", description: "d", inputSchema: '{"type":"object"}' },
  ];
  run: (input: unknown, options?: ExecuteOptions) => Promise<unknown> = async (input) => input;

  async getTools() {
    return this.tools;
  }

  async executeTool(tool: RegisteredTool, input: unknown, options?: ExecuteOptions) {
    if (input === "{") throw new DOMException("Failed to parse input arguments", "UnknownError");
    this.executed.push([tool.name, input]);
    return await this.run(input, options);
  }
}

class FakeDocument {
  URL = "https://a.test/next";
  modelContext = new FakeContext();
  querySelectorAll = () => [];
}

let page: FakeDocument;
let client: Client;

/** Client and server back to back, each message copied as postMessage would. */
async function connect(): Promise<void> {
  let server: McpServer;
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => server.receive(structuredClone(message)),
  };
  const tools = new PageTools(() => server.notifyListChanged());
  server = new McpServer(tools, (message) =>
    transport.onmessage?.(structuredClone(message) as JSONRPCMessage),
  );
  client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
}

beforeEach(async () => {
  page = new FakeDocument();
  const window = { document: page, origin: "https://a.test" };
  vi.stubGlobal("Document", FakeDocument);
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", window);
  await connect();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("with the official client", () => {
  it("initializes and says what it is", () => {
    expect(client.getServerVersion()?.name).toBe(PAGE_SERVER_NAME);
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
    expect(client.getServerCapabilities()?.experimental?.[RUNTIME_CAPABILITY]).toEqual({ runtime: "native" });
  });

  it("answers a ping", async () => {
    await expect(client.ping()).resolves.toBeDefined();
  });

  it("lists tools with object schemas, whatever the page gave", async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => [tool.name, tool.inputSchema.type])).toEqual([
      ["echo", "object"],
      ["bare", "object"],
      ["text_schema", "object"],
    ]);
    expect(tools[0]?.title).toBe("Echo");
  });

  it("calls a tool once, with its arguments", async () => {
    const result = await client.callTool({ name: "echo", arguments: { a: 1 } });
    expect(result.structuredContent).toEqual({ a: 1 });
    expect(page.modelContext.executed).toEqual([["echo", '{"a":1}']]);
  });

  it("refuses unknown tools and methods", async () => {
    const result = await client.callTool({ name: "nope", arguments: {} });
    expect(result._meta?.[ERROR_META]).toEqual({ code: "unknown_tool", executed: "no" });
    await expect(client.request({ method: "resources/list", params: {} })).rejects.toThrow();
  });

  it("tells of changes, and the next listing shows them", async () => {
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
    });
    page.modelContext.tools = [{ name: "new", description: "d" }];
    page.modelContext.dispatchEvent(new Event("toolchange"));
    await changed;
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["new"]);
  });

  it("follows the page to another modelContext", async () => {
    await client.listTools();
    page.modelContext = new FakeContext();
    await client.callTool({ name: "echo", arguments: { a: 2 } });
    expect(page.modelContext.executed).toHaveLength(1);
  });

  it("carries a cancellation to the tool and gives no answer then", async () => {
    const controller = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      page.modelContext.run = (_, options) => {
        options?.signal?.addEventListener("abort", () => resolve());
        controller.abort();
        return new Promise(() => {});
      };
    });
    const call = client.callTool({ name: "echo", arguments: {} }, { signal: controller.signal });
    await expect(call).rejects.toThrow();
    await aborted;
  });

  it("gives null, a document that went away, as navigated", async () => {
    page.modelContext.run = async () => null;
    const result = await client.callTool({ name: "echo", arguments: {} });
    expect(result._meta?.[ERROR_META]).toEqual({ code: "navigated", executed: "unknown" });
    expect(result.content).toMatchObject([{ text: expect.stringContaining("https://a.test/next") }]);
  });
});
