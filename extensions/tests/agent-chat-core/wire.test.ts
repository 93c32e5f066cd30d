/** Both protocols over real HTTP: what is sent, and what is made of the answers. */
import { describe, expect, it } from "vitest";
import {
  callsOf,
  KEY,
  lastMessages,
  lastTurn,
  openBench,
  PROTOCOLS,
  scriptedTool,
  textResult,
} from "./support/chat.ts";

const sum = () =>
  scriptedTool("tab1__sum", async ({ a, b }) => textResult(String(Number(a) + Number(b))), {
    description: "adds two numbers",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  });

const SCRIPT = [
  { text: ["Let me ", "add."], calls: [{ id: "one", name: "tab1__sum", args: { a: 2, b: 3 } }] },
  { text: ["It is ", "5."] },
];

async function conversation(protocol: (typeof PROTOCOLS)[number]) {
  const tool = sum();
  const bench = await openBench({ protocol, script: SCRIPT, tools: [tool] });
  await bench.chat.send("What is 2 + 3?");
  return { ...bench, tool };
}

describe.each(PROTOCOLS)("%s", (protocol) => {
  it("streams, calls the tool, and comes to the answer", async () => {
    const { chat, tool } = await conversation(protocol);

    expect(lastTurn(chat)).toMatchObject({ status: "done", model: "model-1", text: "What is 2 + 3?" });
    expect(lastTurn(chat).messages.map(({ text }) => text)).toEqual(["Let me add.", "It is 5."]);
    expect(tool.calls).toEqual([{ a: 2, b: 3 }]);
    expect(callsOf(chat)).toMatchObject([
      { id: "one", badge: "TOOL", kind: "page", source: "Order desk", status: "done", args: { a: 2, b: 3 } },
    ]);
    expect(callsOf(chat)[0]?.duration).toBeGreaterThanOrEqual(0);
  });

  it("shows each delta as it comes", async () => {
    const seen: string[] = [];
    const { chat } = await openBench({ protocol, script: [{ text: ["one ", "two ", "three"] }] });
    chat.subscribe(({ session }) => seen.push(session.turns.at(-1)?.messages.at(-1)?.text ?? ""));
    await chat.send("count");
    expect([...new Set(seen)].filter((text) => text !== "")).toEqual(["one ", "one two ", "one two three"]);
  });

  it("keeps the earlier turns in the conversation", async () => {
    const { chat, model } = await conversation(protocol);
    await chat.send("Thanks");
    const messages = model.requests.at(-1)?.body.messages as { role: string }[];
    const roles = messages.map(({ role }) => role);
    expect(roles).toEqual(
      protocol === "anthropic"
        ? ["user", "assistant", "user", "assistant", "user"]
        : ["system", "user", "assistant", "tool", "assistant", "user"],
    );
  });

  it("says where max tokens cut the answer, and runs no call that was cut", async () => {
    const tool = sum();
    const answer = { text: ["And so"], calls: [{ name: "tab1__sum", args: '{"a": 1' }], cut: true };
    const { chat } = await openBench({ protocol, script: [answer], tools: [tool] });
    await chat.send("go");
    expect(lastTurn(chat)).toMatchObject({
      status: "done",
      messages: [{ text: "And so", cut: true, calls: [] }],
    });
    expect(tool.calls).toEqual([]);
  });

  it("asks again with the results of a session that was made with the other protocol", async () => {
    const { store } = await conversation(protocol === "anthropic" ? "openai-compat" : "anthropic");
    const { chat, model } = await openBench({ protocol, script: [{ text: ["yes"] }], store, tools: [sum()] });
    await chat.send("Is that so?");
    expect(lastTurn(chat).status).toBe("done");
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('"one"');
  });
});

describe("openai-compat", () => {
  it("sends the key, the tools and the results in its shapes", async () => {
    const { model } = await conversation("openai-compat");
    const [first, second] = model.requests;
    expect(first).toMatchObject({ method: "POST", path: "/chat/completions" });
    expect(first?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(first?.body).toMatchObject({
      model: "model-1",
      stream: true,
      max_tokens: 512,
      tool_choice: "auto",
    });
    expect(first?.body.tools).toEqual([
      {
        type: "function",
        function: {
          name: "tab1__sum",
          description: "adds two numbers",
          parameters: {
            type: "object",
            properties: { a: { type: "number" }, b: { type: "number" } },
            required: ["a", "b"],
          },
        },
      },
    ]);
    const [assistant, result] = lastMessages(second, 2);
    expect(assistant).toMatchObject({ role: "assistant", content: "Let me add." });
    expect(assistant?.tool_calls).toEqual([
      { id: "one", type: "function", function: { name: "tab1__sum", arguments: '{"a":2,"b":3}' } },
    ]);
    expect(result).toMatchObject({ role: "tool", tool_call_id: "one" });
    expect(result?.content).toMatch(/^\[untrusted result of tab1__sum #(\w+)\]\n5\n\[end #\1\]$/);
  });

  it("takes servers that number no calls, and those that send them whole", async () => {
    const tool = sum();
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
    const call = (id: string, a: number) => ({
      id,
      function: { name: "tab1__sum", arguments: `{"a":${a},"b":0}` },
    });
    const raw = [
      chunk({ tool_calls: [call("x", 1)] }),
      chunk({ tool_calls: [call("y", 2)] }),
      chunk({}, "tool_calls"),
    ];
    const { chat } = await openBench({ script: [{ raw }, { text: ["ok"] }], tools: [tool] });
    await chat.send("go");
    expect(tool.calls).toEqual([
      { a: 1, b: 0 },
      { a: 2, b: 0 },
    ]);
    expect(callsOf(chat).map(({ id }) => id)).toEqual(["x", "y"]);
  });
});

describe("anthropic", () => {
  it("sends the key, the tools and the results in its shapes", async () => {
    const { model } = await conversation("anthropic");
    const [first, second] = model.requests;
    expect(first).toMatchObject({ method: "POST", path: "/v1/messages" });
    expect(first?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(first?.headers["anthropic-version"]).toMatch(/^\d{4}-/);
    expect(first?.headers["anthropic-dangerous-direct-browser-access"]).toBe("true");
    expect(first?.body).toMatchObject({
      model: "model-1",
      stream: true,
      max_tokens: 512,
      tool_choice: { type: "auto" },
    });
    expect(first?.body.system).toContain("Multi-turn loop");
    expect(first?.body.tools).toMatchObject([{ name: "tab1__sum", input_schema: { type: "object" } }]);
    const [assistant, result] = lastMessages(second, 2);
    expect(assistant).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "Let me add." },
        { type: "tool_use", id: "one", name: "tab1__sum", input: { a: 2, b: 3 } },
      ],
    });
    expect(result).toMatchObject({ role: "user", content: [{ type: "tool_result", tool_use_id: "one" }] });
  });
});
