/** A model's server that fails, in both protocols: code, sentence, back-off. */
import { describe, expect, it } from "vitest";
import type { AgentTimings, Backoff } from "../../agent-chat-core/index.ts";
import {
  callsOf,
  KEY,
  lastTurn,
  openBench,
  PROTOCOLS,
  scriptedTool,
  textResult,
  until,
} from "./support/chat.ts";
import { type Answer, startModel } from "./support/model-server.ts";

type Protocol = (typeof PROTOCOLS)[number];

/** The body of an error as the vendor writes it. */
function errorBody(protocol: Protocol, message: string, more: object = {}): unknown {
  const error = { message, type: "invalid_request_error", ...more };
  return protocol === "anthropic"
    ? { type: "error", error }
    : { error: { param: null, code: null, ...error } };
}

async function turnOn(protocol: Protocol, script: Answer[], timings: Partial<AgentTimings> = {}) {
  const tools = ["tab1__one", "tab1__two"].map((name) => scriptedTool(name, async () => textResult("ran")));
  const bench = await openBench({ protocol, script, tools, timings });
  const backoffs: Backoff[] = [];
  bench.chat.subscribe(({ session }) => {
    const { backoff } = session.turns.at(-1) ?? {};
    if (backoff && backoffs.at(-1) !== backoff) backoffs.push(backoff);
  });
  await bench.chat.send("go");
  return { ...bench, backoffs, turn: lastTurn(bench.chat) };
}

describe.each(PROTOCOLS)("%s", (protocol) => {
  it.each([
    [401, "llm_auth", /refuses the key \(401\).*settings/],
    [403, "llm_auth", /refuses the key \(403\).*settings/],
    [404, "llm_not_found", /no such path or model \(no model-1 here\).*settings/],
    [400, "llm_bad_request", /refuses the request: no model-1 here/],
  ])("status %i is %s, at once", async (status, code, words) => {
    const { turn, model } = await turnOn(protocol, [
      { status, error: errorBody(protocol, "no model-1 here") },
    ]);
    expect(turn).toMatchObject({ status: "error", error: { code } });
    expect(turn.error?.message).toMatch(words);
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    [429, "llm_rate_limited"],
    [500, "llm_server"],
    [529, "llm_server"],
  ])("status %i is tried again, and the pause is shown", async (status, code) => {
    const failing = { status, error: errorBody(protocol, "too much") };
    const { turn, backoffs, model } = await turnOn(protocol, [failing, failing, { text: ["here"] }]);
    expect(turn).toMatchObject({ status: "done", messages: [{ text: "here" }] });
    expect(turn.backoff).toBeUndefined();
    expect(model.requests).toHaveLength(3);
    expect(backoffs).toMatchObject([
      { code, tries: 1, of: 4 },
      { code, tries: 2, of: 4 },
    ]);
  });

  it("that goes on failing ends the turn after four tries, and Retry goes on", async () => {
    const failing = { status: 503, error: errorBody(protocol, "down") };
    const script = [...Array.from({ length: 4 }, () => failing), { text: ["back"] }];
    const { chat, turn, model } = await turnOn(protocol, script);
    expect(turn).toMatchObject({ status: "error", error: { code: "llm_server" } });
    expect(model.requests).toHaveLength(4);
    await chat.retry();
    expect(lastTurn(chat)).toMatchObject({ id: turn.id, status: "done", messages: [{ text: "back" }] });
    expect(lastTurn(chat).error).toBeUndefined();
  });

  it("waits as long as the server asks", async () => {
    const failing = { status: 429, error: errorBody(protocol, "wait"), headers: { "retry-after": "100" } };
    const before = Date.now();
    const { backoffs } = await turnOn(protocol, [failing, { text: ["ok"] }], { backoffMax: 120 });
    expect(backoffs[0]?.nextTryAt).toBeGreaterThanOrEqual(before + 120);
  });

  it("stops waiting when the user does", async () => {
    const script = [{ status: 429, error: errorBody(protocol, "wait") }];
    const { chat } = await openBench({
      protocol,
      script,
      timings: { backoffFirst: 60_000, backoffMax: 60_000 },
    });
    const sent = chat.send("go");
    await until("it waits", () => lastTurn(chat).backoff !== undefined);
    await chat.stop();
    await sent;
    expect(lastTurn(chat)).toMatchObject({ status: "stopped" });
    expect(lastTurn(chat).backoff).toBeUndefined();
  });

  it("an account without credit is not asked again", async () => {
    const error = errorBody(protocol, "You exceeded your current quota, see billing", {
      code: "insufficient_quota",
    });
    const { turn, model } = await turnOn(protocol, [{ status: 429, error }]);
    expect(turn.error?.message).toMatch(/Look at your account/);
    expect(model.requests).toHaveLength(1);
  });

  it("an answer that breaks off runs no call; Retry drops its text", async () => {
    const broken: Answer = { text: ["half an"], calls: [{ name: "tab1__one" }], ending: "close" };
    const { chat, turn } = await turnOn(protocol, [broken, { text: ["whole"] }]);
    expect(turn).toMatchObject({ status: "error", error: { code: "llm_network" } });
    expect(turn.messages).toMatchObject([{ status: "interrupted", text: "half an", calls: [] }]);
    await chat.retry();
    expect(lastTurn(chat).messages.map(({ text }) => text)).toEqual(["whole"]);
  });

  it("Retry keeps the steps that are complete", async () => {
    const script: Answer[] = [
      { calls: [{ name: "tab1__one" }] },
      { status: 401, error: errorBody(protocol, "no") },
      { text: ["done"] },
    ];
    const { chat } = await turnOn(protocol, script);
    await chat.retry();
    expect(callsOf(chat)).toHaveLength(1);
    expect(lastTurn(chat)).toMatchObject({ status: "done", messages: [{}, { text: "done" }] });
  });

  it("silence is given up", async () => {
    const script: Answer[] = [{ text: ["ready"] }, { text: ["well"], ending: "hang" }];
    const { chat, model } = await openBench({ protocol, script, timings: { llmSilence: 400 } });
    await chat.send("Are you there?");
    await chat.send("go");
    expect(lastTurn(chat)).toMatchObject({ status: "error", error: { code: "llm_timeout" } });
    await until("the connection is closed", () => model.aborted === 1);
  });

  it("what is no answer of the protocol is said to be none", async () => {
    const raw = ['event: message_start\ndata: {"type": \n\n'];
    const { turn } = await turnOn(protocol, [{ raw }]);
    expect(turn.error).toMatchObject({ code: "llm_protocol" });
  });

  it("a key that the server echoes is shown nowhere", async () => {
    const words = `the key ${KEY} is odd`;
    const { turn, chat } = await turnOn(protocol, [{ status: 400, error: errorBody(protocol, words) }]);
    expect(turn.error?.message).toContain("the key •••• is odd");
    expect(JSON.stringify(chat.state)).not.toContain(KEY);
  });

  it("nothing at the address is tried again, then said", async () => {
    const { chat, llm } = await openBench({ protocol, script: [{}] });
    await llm.save({ ...llm.config, baseUrl: "http://127.0.0.1:9" });
    await chat.send("go");
    expect(lastTurn(chat).error).toMatchObject({
      code: "llm_network",
      message: expect.stringMatching(/127\.0\.0\.1:9/),
    });
  });

  it("a redirect is not followed: the key belongs to one place", async () => {
    const thief = await startModel(protocol, [{ text: ["mine"] }]);
    const redirect = { status: 307, error: {}, headers: { location: `${thief.url}/v1` } };
    const { turn } = await turnOn(protocol, [redirect]);
    expect(turn.error).toMatchObject({ code: "llm_network" });
    expect(thief.requests).toEqual([]);
  });

  it("without a key none is sent, and the server's refusal says so", async () => {
    const { chat, llm, model } = await openBench({ protocol, script: [{ status: 401, error: {} }] });
    await llm.save(llm.config, "");
    await chat.send("go");
    expect(model.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(model.requests[0]?.headers).not.toHaveProperty("x-api-key");
    expect(lastTurn(chat).error).toMatchObject({
      code: "llm_auth",
      message: expect.stringMatching(/there is none/),
    });
  });
});

describe("a refused schema names the tool", () => {
  it.each([
    ["openai-compat", "Invalid schema for function 'tab1__two': array schema missing items", {}, "tab1__two"],
    ["openai-compat", "Invalid parameters", { param: "tools[1].function.parameters" }, "tab1__two"],
    ["anthropic", "tools.1.custom.input_schema: JSON schema is invalid", {}, "tab1__two"],
    ["anthropic", "tools.0.custom.name: String should match pattern", {}, "tab1__one"],
  ] as const)("%s: %s", async (protocol, message, more, tool) => {
    const { turn } = await turnOn(protocol, [{ status: 400, error: errorBody(protocol, message, more) }]);
    expect(turn.error).toMatchObject({ code: "llm_schema", tool });
    expect(turn.error?.message).toContain(`the schema of the tool ${tool}`);
  });
});

it("anthropic: an error within the stream is told from a broken one", async () => {
  const raw = [
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  ];
  const { turn, backoffs } = await turnOn("anthropic", [{ raw }, { text: ["ok"] }]);
  expect(turn.status).toBe("done");
  expect(backoffs[0]?.code).toBe("llm_server");
});

it("without a model the turn says where to choose one", async () => {
  const { chat, store, llm, model } = await openBench({ script: [{}] });
  await store.set("llmConfig", { ...llm.config, model: "" });
  await llm.reload();
  await chat.send("go");
  expect(lastTurn(chat).error).toMatchObject({ code: "llm_unconfigured" });
  expect(model.requests).toHaveLength(0);
});
