/** The tool-use loop: steps, limits, parallel calls, abort. */
import { describe, expect, it } from "vitest";
import { AGENT_LIMITS, mergeTools } from "../../agent-chat-core/index.ts";
import { errorResult, type ToolResult } from "../../contract/errors.ts";
import {
  callsOf,
  lastMessages,
  lastTurn,
  openBench,
  resultText,
  scriptedTool,
  textResult,
  until,
} from "./support/chat.ts";

const echo = () => scriptedTool("tab1__echo", async ({ text }) => textResult(String(text)));
const callEcho = (text: string, id?: string) => ({
  name: "tab1__echo",
  args: { text },
  ...(id ? { id } : {}),
});

/** A tool that does not end by itself. `aborted` counts the calls whose signal was. */
function stuckTool(name: string, more = {}) {
  const seen = { begun: 0, aborted: 0 };
  const tool = scriptedTool(
    name,
    (_args, { signal }) =>
      new Promise(() => {
        seen.begun += 1;
        signal.addEventListener("abort", () => {
          seen.aborted += 1;
        });
      }),
    more,
  );
  return { tool, seen };
}

/** A tool that ends when its signal is aborted. */
function politeTool(result: ToolResult) {
  return scriptedTool("tab1__polite", (_args, { signal }) => {
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(result)));
  });
}

describe("steps", () => {
  it("go on until an answer without calls", async () => {
    const tool = echo();
    const script = [{ calls: [callEcho("a")] }, { calls: [callEcho("b")] }, { text: ["done"] }];
    const { chat, model } = await openBench({ script, tools: [tool] });
    await chat.send("go");
    expect(tool.calls.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(model.requests).toHaveLength(3);
    expect(lastTurn(chat).messages.at(-1)).toMatchObject({ text: "done", status: "done" });
  });

  it("end at the limit, the last one's calls do not run, and Retry goes on", async () => {
    const tool = echo();
    const script = [
      ...Array.from({ length: AGENT_LIMITS.steps }, () => ({ calls: [callEcho("x")] })),
      { text: ["at last"] },
    ];
    const { chat, model } = await openBench({ script, tools: [tool] });
    await chat.send("go");
    expect(model.requests).toHaveLength(AGENT_LIMITS.steps);
    expect(tool.calls).toHaveLength(AGENT_LIMITS.steps - 1);
    expect(lastTurn(chat)).toMatchObject({ status: "error", error: { code: "step_limit" } });
    expect(callsOf(chat).at(-1)?.status).toBe("refused");

    await chat.retry();
    expect(lastTurn(chat)).toMatchObject({ status: "done" });
    expect(chat.state.session.turns).toHaveLength(1);
  });

  it("have unique call ids, also where the model repeats its own", async () => {
    const script = [{ calls: [callEcho("a", "same")] }, { calls: [callEcho("b", "same")] }, { text: ["ok"] }];
    const { chat, model } = await openBench({ script, tools: [echo()] });
    await chat.send("go");
    const ids = callsOf(chat).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    const messages = model.requests.at(-1)?.body.messages as { tool_call_id?: string }[];
    expect(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(ids);
  });

  it("see tools come and go", async () => {
    const store: { tools: ReturnType<typeof echo>[] } = { tools: [echo()] };
    const script = [{ calls: [callEcho("a")] }, { text: ["ok"] }];
    const bench = await openBench({ script, tools: store.tools });
    store.tools.push(scriptedTool("tab2__late", async () => textResult("")));
    await bench.chat.send("go");
    expect(bench.model.requests[0]?.body.tools).toMatchObject([
      { function: { name: "tab1__echo" } },
      { function: { name: "tab2__late" } },
    ]);
  });
});

describe("calls of one step", () => {
  it("run together, and their results keep the model's order", async () => {
    const waiting: (() => void)[] = [];
    const release = () => {
      for (const go of waiting.toReversed()) go();
    };
    const tool = scriptedTool("tab1__echo", async ({ text }) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) release();
      });
      return textResult(String(text));
    });
    const script = [
      { calls: [callEcho("a", "1"), callEcho("b", "2"), callEcho("c", "3")] },
      { text: ["ok"] },
    ];
    const { chat, model } = await openBench({ script, tools: [tool] });
    await chat.send("go");
    expect(callsOf(chat).map(resultText)).toEqual(["a", "b", "c"]);
    const results = lastMessages(model.requests[1], 3);
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(["1", "2", "3"]);
  });

  it("fail alone", async () => {
    const broken = scriptedTool("tab1__broken", async () => {
      throw new Error("port closed");
    });
    const script = [{ calls: [{ name: "tab1__broken" }, callEcho("b")] }, { text: ["ok"] }];
    const { chat } = await openBench({ script, tools: [broken, echo()] });
    await chat.send("go");
    expect(callsOf(chat).map(({ status }) => status)).toEqual(["outcome_unknown", "done"]);
    expect(resultText(callsOf(chat)[0])).toMatch(/^outcome_unknown: .*port closed.*Check what it did/);
    expect(lastTurn(chat).status).toBe("done");
  });
});

describe("a call that does not run", () => {
  it.each([
    ["an unknown tool", { name: "tab9__gone" }, /^unknown_tool: /],
    ["text that is no JSON", { name: "tab1__n", args: '{"n": ' }, /^invalid_args: .*JSON object/],
    ["JSON that is no object", { name: "tab1__n", args: "[1]" }, /^invalid_args: .*JSON object/],
    ["arguments that do not fit", { name: "tab1__n", args: { n: "five" } }, /^invalid_args: .*n/],
    ["a missing argument", { name: "tab1__n", args: {} }, /^invalid_args: .*n/],
  ])("%s: the model is told", async (_what, call, words) => {
    const inputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const tool = scriptedTool("tab1__n", async () => textResult("ran"), { inputSchema });
    const { chat, model } = await openBench({ script: [{ calls: [call] }, { text: ["ok"] }], tools: [tool] });
    await chat.send("go");
    expect(callsOf(chat)[0]?.status).toBe("refused");
    expect(resultText(callsOf(chat)[0])).toMatch(words);
    expect(tool.calls).toEqual([]);
    expect(lastMessages(model.requests[1], 1)[0]?.content).toMatch(words);
  });
});

describe("the agent tool-debug", () => {
  it("calls one tool a turn, then has to answer", async () => {
    const tool = echo();
    const script = [{ calls: [callEcho("a"), callEcho("b")] }, { text: ["ok"] }];
    const { chat, model } = await openBench({ script, tools: [tool], agent: "tool-debug" });
    await chat.send("go");
    expect(tool.calls).toEqual([{ text: "a" }]);
    expect(callsOf(chat).map(({ status }) => status)).toEqual(["done", "refused"]);
    expect(model.requests.map(({ body }) => body.tool_choice)).toEqual(["auto", "none"]);

    await chat.send("again");
    expect(model.requests[2]?.body.tool_choice).toBe("auto");
  });
});

describe("a deadline", () => {
  it("aborts the tool, and the turn goes on with an unknown outcome", async () => {
    const { tool, seen } = stuckTool("tab1__stuck");
    const script = [{ calls: [{ name: "tab1__stuck" }] }, { text: ["it hangs"] }];
    const { chat } = await openBench({ script, tools: [tool], timings: { tool: 30 } });
    await chat.send("go");
    expect(seen).toEqual({ begun: 1, aborted: 1 });
    expect(callsOf(chat)[0]).toMatchObject({ status: "outcome_unknown", result: { isError: true } });
    expect(resultText(callsOf(chat)[0])).toMatch(/^timeout: .*0\.03 s/);
    expect(lastTurn(chat).status).toBe("done");
  });

  it("of the tool itself goes before the common one", async () => {
    const { tool } = stuckTool("a2a__x__send_task", { kind: "a2a", deadline: 20 });
    const script = [{ calls: [{ name: "a2a__x__send_task" }] }, { text: ["ok"] }];
    const { chat } = await openBench({ script, tools: [tool] });
    await chat.send("go");
    expect(resultText(callsOf(chat)[0])).toMatch(/^timeout: .*0\.02 s/);
    expect(callsOf(chat)[0]?.badge).toBe("A2A");
  });

  it.each([
    ["unknown", "outcome_unknown", /^timeout: .*Check what it did/],
    ["no", "done", /^timeout: .*It did nothing/],
  ] as const)(
    "is said, where the tool's answer to its abort is an error with executed %s",
    async (executed, status, words) => {
      const cancelled = errorResult({
        code: "cancelled",
        executed,
        message: "The call was cancelled. Call again.",
      });
      const script = [{ calls: [{ name: "tab1__polite" }] }, { text: ["ok"] }];
      const { chat } = await openBench({
        script,
        tools: [politeTool(cancelled)],
        timings: { tool: 20, abortGrace: 5_000 },
      });
      await chat.send("go");
      expect(callsOf(chat)[0]?.status).toBe(status);
      expect(resultText(callsOf(chat)[0])).toMatch(words);
    },
  );

  it("takes a result that just made it", async () => {
    const script = [{ calls: [{ name: "tab1__polite" }] }, { text: ["ok"] }];
    const tools = [politeTool(textResult("just so"))];
    const { chat } = await openBench({ script, tools, timings: { tool: 20, abortGrace: 5_000 } });
    await chat.send("go");
    expect(resultText(callsOf(chat)[0])).toBe("just so");
  });
});

describe("stop", () => {
  it("while the model streams: the connection is closed, the text stays", async () => {
    const { chat, model } = await openBench({ script: [{ text: ["I was going to"], ending: "hang" }] });
    const sent = chat.send("go");
    await until("text", () => lastTurn(chat).messages[0]?.text === "I was going to");
    await chat.stop();
    await sent;
    expect(lastTurn(chat)).toMatchObject({
      status: "stopped",
      messages: [{ status: "interrupted", text: "I was going to" }],
    });
    await until("the connection is closed", () => model.aborted === 1);
    expect(chat.state.running).toBeUndefined();
  });

  it("while tools run: each is aborted, and no request follows", async () => {
    const first = stuckTool("tab1__one");
    const second = stuckTool("tab1__two");
    const script = [{ calls: [{ name: "tab1__one" }, { name: "tab1__two" }] }, { text: ["never"] }];
    const { chat, model } = await openBench({ script, tools: [first.tool, second.tool] });
    const sent = chat.send("go");
    await until("both run", () => first.seen.begun + second.seen.begun === 2);
    await chat.stop();
    await sent;
    expect(first.seen.aborted + second.seen.aborted).toBe(2);
    expect(lastTurn(chat).status).toBe("stopped");
    expect(callsOf(chat).map(({ status }) => status)).toEqual(["outcome_unknown", "outcome_unknown"]);
    expect(resultText(callsOf(chat)[0])).toMatch(/^cancelled: .*Check/);
    expect(model.requests).toHaveLength(1);
  });

  it("is nothing where nothing runs", async () => {
    const { chat } = await openBench({ script: [{ text: ["ok"] }] });
    await chat.stop();
    await chat.send("go");
    expect(lastTurn(chat).status).toBe("done");
  });
});

describe("a state that does not allow it", () => {
  it("rejects with a code and what to do", async () => {
    const { chat } = await openBench({ script: [{ ending: "hang" }] });
    await expect(chat.retry()).rejects.toMatchObject({ problem: { code: "nothing_to_do" } });
    await expect(chat.resend()).rejects.toMatchObject({ problem: { code: "nothing_to_do" } });
    await expect(chat.send("  ")).rejects.toMatchObject({ problem: { code: "nothing_to_do" } });
    const sent = chat.send("go");
    await expect(chat.send("too early")).rejects.toMatchObject({ problem: { code: "busy" } });
    await chat.stop();
    await sent;
  });
});

describe("more tools than the server takes", () => {
  const page = Array.from({ length: 200 }, (_, n) => scriptedTool(`tab1__t${n}`, async () => textResult("")));
  const agent = scriptedTool("a2a__x__send_task", async () => textResult(""), { kind: "a2a" });

  it("openai-compat: page tools give way, the model and the user are told how many", async () => {
    const { chat, model } = await openBench({ script: [{ text: ["ok"] }], tools: [...page, agent] });
    await chat.send("go");
    const sent = model.requests[0]?.body.tools as { function: { name: string } }[];
    expect(sent).toHaveLength(AGENT_LIMITS.openAiTools);
    expect(sent.at(-1)?.function.name).toBe("a2a__x__send_task");
    expect(lastTurn(chat).toolsLeftOut).toBe(201 - AGENT_LIMITS.openAiTools);
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain("73 more tools");
  });

  it("anthropic: there is room for all", async () => {
    const { chat, model } = await openBench({
      protocol: "anthropic",
      script: [{ text: ["ok"] }],
      tools: [...page, agent],
    });
    await chat.send("go");
    expect(model.requests[0]?.body.tools).toHaveLength(201);
    expect(lastTurn(chat).toolsLeftOut).toBeUndefined();
  });
});

describe("the catalogue", () => {
  it("keeps the first of two tools with one name, and shows both", () => {
    const first = echo();
    const second = scriptedTool("tab1__echo", async () => textResult(""), {
      kind: "provider",
      source: "other",
    });
    const merged = mergeTools([first], [second, scriptedTool("ext__a__b", async () => textResult(""))]);
    expect(merged.tools.map(({ name }) => name)).toEqual(["tab1__echo", "ext__a__b"]);
    expect(merged.tools[0]).toBe(first);
    expect(merged.collisions).toEqual([{ name: "tab1__echo", kept: first, hidden: second }]);
  });
});
