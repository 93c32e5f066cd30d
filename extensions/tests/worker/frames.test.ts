import { describe, expect, it } from "vitest";
import { jsonBytes } from "../../contract/limits.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import type { ServerHello } from "../../contract/relay-wire.ts";
import { DEFAULT_RELAY_SETTINGS } from "../../contract/settings.ts";
import { authority, fits, matches, parseFrame } from "../../host/service-worker/relay-socket.ts";
import { HELLO_TEXT_LIMIT, tabHello } from "../../host/service-worker/source-backend.ts";
import { listThatFits } from "../../host/service-worker/tool-list.ts";

const HELLO: ServerHello = {
  type: "server-hello",
  service: "webmcp-local-relay",
  version: 1,
  host: "127.0.0.1",
  instanceId: "i",
  relayId: "r",
  port: 1,
  workspace: "w",
};

describe("frames", () => {
  it.each(["", "no json", "null", "[]", "7", '{"type":7}', "{}"])("%j is no frame", (text) => {
    expect(parseFrame(text)).toBeUndefined();
  });

  it("fit by their UTF-8 bytes, not by their characters", () => {
    expect(fits("é".repeat(50), 100)).toBe(true);
    expect(fits("é".repeat(51), 100)).toBe(false);
    expect(fits("a".repeat(100), 100)).toBe(true);
  });

  it("put an IPv6 address into brackets once", () => {
    expect(authority({ host: "::1", port: 5 })).toBe("[::1]:5");
    expect(authority({ host: "[::1]", port: 5 })).toBe("[::1]:5");
    expect(authority({ host: "127.0.0.1", port: 5 })).toBe("127.0.0.1:5");
  });
});

describe("the relay's hello", () => {
  it("matches where nothing in particular is wanted", () => {
    expect(matches(HELLO, DEFAULT_RELAY_SETTINGS)).toBe(true);
  });

  it.each([
    [{ relayId: "r" }, true],
    [{ relayId: "other" }, false],
    [{ workspace: "w" }, true],
    [{ workspace: "other" }, false],
    [{ relayId: "r", workspace: "other" }, false],
  ])("is held against %j: %s", (wanted, expected) => {
    expect(matches(HELLO, { ...DEFAULT_RELAY_SETTINGS, ...wanted })).toBe(expected);
  });

  it("of another service or version is no relay", () => {
    expect(matches({ ...HELLO, service: "other" }, DEFAULT_RELAY_SETTINGS)).toBe(false);
    expect(matches({ ...HELLO, version: 2 }, DEFAULT_RELAY_SETTINGS)).toBe(false);
  });
});

function tool(name: string, description = ""): PageTool {
  return { name, description, inputSchema: { type: "object" } };
}

describe("a tool list for one frame", () => {
  it("is whole where it fits", () => {
    const tools = [tool("a"), tool("b")];
    expect(listThatFits(tools, 10_000)).toEqual({ tools, dropped: 0 });
  });

  it("leaves out what does not fit, counts it, and stays under the limit", () => {
    const tools = [tool("a"), tool("long", "x".repeat(900)), tool("c")];
    const list = listThatFits(tools, 500);
    expect(list.tools.map((one) => one.name)).toEqual(["a", "c"]);
    expect(list.dropped).toBe(1);
    expect(jsonBytes({ type: "tools/changed", tools: list.tools })).toBeLessThanOrEqual(500);
  });
});

describe("the hello of a tab", () => {
  const tab = (members: Partial<chrome.tabs.Tab>) => members as chrome.tabs.Tab;

  it("omits what is not known", () => {
    expect(tabHello(7, undefined)).toEqual({ type: "hello", tabId: "7" });
  });

  it("has the origin of the browser's URL", () => {
    const hello = tabHello(7, tab({ url: "https://a.example/path?q", title: "T" }));
    expect(hello).toMatchObject({ origin: "https://a.example", url: "https://a.example/path?q", title: "T" });
  });

  it("cuts what a page could make endless", () => {
    const long = "x".repeat(HELLO_TEXT_LIMIT + 1);
    const hello = tabHello(
      7,
      tab({ url: `https://a.example/${long}`, title: long, favIconUrl: `data:,${long}` }),
    );
    expect(hello.url).toBe("https://a.example");
    expect(hello.title).toHaveLength(HELLO_TEXT_LIMIT);
    expect(hello.iconUrl).toBeUndefined();
  });

  it("has no origin where there is none", () => {
    expect(tabHello(7, tab({ url: "about:blank" })).origin).toBeUndefined();
  });
});
