import { describe, expect, it } from "vitest";
import { RELAY_CALL_RING, type RelayCall } from "../../contract/panel.ts";
import { RelayLog } from "../../host/service-worker/relay-log.ts";
import { fill } from "../../host/side-panel/i18n.ts";
import { placeAfter } from "../../host/side-panel/shell/tab-keys.ts";
import { matching } from "../../host/side-panel/tools/filter.ts";

describe("keys in the row of tabs", () => {
  it.each([
    ["ArrowRight", 0, 1],
    ["ArrowRight", 6, 0],
    ["ArrowLeft", 0, 6],
    ["Home", 4, 0],
    ["End", 4, 6],
    ["a", 4, undefined],
    ["toString", 4, undefined],
  ])("%s at %i", (key, at, place) => {
    expect(placeAfter(key, at, 7)).toBe(place);
  });
});

describe("a message's placeholders", () => {
  it("are filled as the browser fills them", () => {
    expect(fill("$2 of $1, $3", ["a", 7])).toBe("7 of a, ");
    expect(fill("^[a-z]$$ and $$1", ["x"])).toBe("^[a-z]$ and $1");
    expect(fill("$1", ["$1 $2"])).toBe("$1 $2");
  });
});

describe("the filter of tools", () => {
  const tools = ["tab1__get_orders", "tab1__echo"].map((publicName) => ({
    publicName,
    tabId: 1,
    tool: { name: publicName, description: `Says ${publicName} LOUD`, inputSchema: {} },
  }));

  it("wants all words, in any case", () => {
    expect(matching(tools, "  ")).toHaveLength(2);
    expect(matching(tools, "loud ORDERS")).toEqual([tools[0]]);
    expect(matching(tools, "echo orders")).toEqual([]);
  });
});

describe("the log of relay calls", () => {
  it("keeps the last hundred, and an ended call in its place", () => {
    const told: RelayCall[] = [];
    const log = new RelayLog((call) => told.push(call));
    const ends = Array.from({ length: RELAY_CALL_RING + 1 }, (_, n) => log.begin("7", `tool${n}`, { n }));
    ends[50]?.({ content: [], isError: true, _meta: { "webmcp-e2e/error": { code: "timeout" } } });
    expect(log.calls).toHaveLength(RELAY_CALL_RING);
    expect(log.calls[0]?.tool).toBe("tool1");
    expect(log.calls[49]).toMatchObject({ tool: "tool50", args: '{"n":50}', outcome: "timeout" });
    expect(told.at(-1)?.milliseconds).toBeGreaterThanOrEqual(0);
  });

  it("tells a tool's own error from one of the chain, and cuts what is long", () => {
    const log = new RelayLog(() => {});
    log.begin("extension", "x".repeat(999), { text: "y".repeat(999) })({ content: [], isError: true });
    log.begin("7", "fine", {})({ content: [] });
    expect(log.calls.map(({ outcome }) => outcome)).toEqual(["error", "ok"]);
    expect(log.calls[0]?.tool).toHaveLength(200);
    expect(log.calls[0]?.args).toHaveLength(300);
  });
});
