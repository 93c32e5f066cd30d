import { describe, expect, it } from "vitest";
import type { Session, ToolCallRecord, Turn } from "../../agent-chat-core/index.ts";
import { errorResult } from "../../contract/errors.ts";
import { argumentsText, durationText, errorCodeOf } from "../../host/side-panel/chat/format.ts";
import { panelTools, type ToolSource } from "../../host/side-panel/chat/panel-tools.ts";
import { readProfile } from "../../host/side-panel/chat/profile-draft.ts";
import { earlierStart } from "../../host/side-panel/chat/turn-window.ts";

(globalThis as { chrome?: unknown }).chrome = { i18n: { getMessage: (key: string) => key } };

function turn(calls: number): Turn {
  const call = { id: "c", name: "t", kind: "page", badge: "TOOL", source: "", args: {}, status: "done" };
  return {
    id: "t",
    at: 0,
    text: "",
    agent: { id: "a", name: "A" },
    model: "m",
    status: "done",
    messages: [
      { status: "done", text: "", calls: Array.from({ length: calls }, () => call as ToolCallRecord) },
    ],
  };
}

describe("the turns that are drawn at once", () => {
  const turns = (...calls: number[]): Session["turns"] => calls.map(turn);

  it("are some of the last ones", () => {
    const many = turns(...Array.from({ length: 100 }, () => 10));
    const start = earlierStart(many, 100);
    expect(start).toBeGreaterThan(90);
    expect(start).toBeLessThan(100);
  });

  it("are at least one, however long it is", () => {
    expect(earlierStart(turns(1, 1_000), 2)).toBe(1);
    expect(earlierStart(turns(1_000, 1), 1)).toBe(0);
  });

  it("reach the first in the end", () => {
    const many = turns(...Array.from({ length: 57 }, (_, index) => index % 30));
    let from = many.length;
    for (let steps = 0; from > 0; steps++) {
      expect(steps).toBeLessThan(many.length);
      from = earlierStart(many, from);
    }
    expect(earlierStart([], 0)).toBe(0);
  });
});

describe("values for people", () => {
  it.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [1_234, "1.2 s"],
    [125_000, "2 min 5 s"],
    [119_700, "2 min 0 s"],
  ])("%d ms are %s", (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });

  it("a result's code is the chain's, or says that the tool itself failed", () => {
    expect(errorCodeOf(undefined)).toBeUndefined();
    expect(errorCodeOf({ content: [] })).toBeUndefined();
    expect(errorCodeOf({ content: [], isError: true })).toBe("tool_error");
    expect(errorCodeOf(errorResult({ code: "timeout", executed: "unknown", message: "m" }))).toBe("timeout");
  });

  it("arguments that are asked about show what is invisible in them", () => {
    expect(argumentsText({ to: "a\u202eb\u200bc" })).toBe('{\n  "to": "a\\u202eb\\u200bc"\n}');
  });
});

describe("the panel's tools as the agent's", () => {
  const tool = (name: string) => ({ name, description: `does ${name}`, inputSchema: { type: "object" } });

  function panel(call: ToolSource["call"]): ToolSource {
    const source = {
      tabs: [
        {
          tabId: 7,
          tab: { title: "<b>Orders</b>" },
          tools: [{ publicName: "tab7__a", tabId: 7, tool: tool("a") }],
        },
      ],
      providers: [{ id: "p".repeat(32), tools: [{ publicName: "ext__n__b", tool: tool("b") }] }],
      builtins: [
        { publicName: "chrome_extension_list", tabId: undefined, tool: tool("chrome_extension_list") },
      ],
      call,
    };
    return source as unknown as ToolSource;
  }

  const never = () => ({ result: new Promise<never>(() => {}), cancel: () => {} });

  it("come from pages first, then providers, then the extension", () => {
    const tools = panelTools(panel(never));
    expect(tools.map(({ name, kind, source }) => [name, kind, source])).toEqual([
      ["tab7__a", "page", "<b>Orders</b>"],
      ["ext__n__b", "provider", "p".repeat(32)],
      ["chrome_extension_list", "builtin", "builtinSource"],
    ]);
  });

  it("are cancelled where they run when the agent aborts", async () => {
    const cancelled: string[] = [];
    const [first] = panelTools(
      panel((name) => {
        let resolve: (result: { content: never[] }) => void = () => {};
        const result = new Promise<{ content: never[] }>((done) => {
          resolve = done;
        });
        const cancel = () => {
          cancelled.push(name);
          resolve({ content: [] });
        };
        return { result, cancel };
      }),
    );
    const abort = new AbortController();
    const running = first!.call({}, { signal: abort.signal });
    abort.abort();
    await running;
    expect(cancelled).toEqual(["tab7__a"]);

    await first!.call({}, { signal: AbortSignal.abort() });
    expect(cancelled).toEqual(["tab7__a", "tab7__a"]);
  });
});

describe("the profile's form", () => {
  const own = { id: "own-1", name: "n", builtIn: false, rules: "", inheritGlobalRules: true, skills: [] };

  function form(values: Record<string, string>): FormData {
    const data = new FormData();
    for (const [name, value] of Object.entries(values)) data.set(name, value);
    return data;
  }

  it("leaves out what is empty", () => {
    const empty = {
      name: " Mine ",
      rules: "",
      protocol: "",
      baseUrl: "",
      path: "",
      model: "",
      maxTokens: "",
    };
    const skills = [
      { name: "", text: " " },
      { name: "s", text: "do" },
    ];
    expect(readProfile({ ...own, callsPerTurn: 3 }, form({ ...empty, callsPerTurn: "" }), skills)).toEqual({
      ...own,
      name: "Mine",
      inheritGlobalRules: false,
      skills: [{ name: "s", text: "do" }],
    });
  });

  it("has the override that is filled in, and never a key", () => {
    const filled = {
      name: "n",
      inheritGlobalRules: "on",
      model: "m",
      maxTokens: "10",
      protocol: "evil",
      key: "sk",
    };
    expect(readProfile(own, form({ ...filled, callsPerTurn: "2" }), [])).toEqual({
      ...own,
      callsPerTurn: 2,
      llm: { model: "m", maxTokens: 10 },
    });
  });
});
