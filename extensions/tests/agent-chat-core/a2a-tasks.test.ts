/** Tasks given to remote agents over real HTTP, in both dialects. */
import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentTool } from "../../agent-chat-core/a2a/agent-tool.ts";
import { parseCard } from "../../agent-chat-core/a2a/card.ts";
import { TaskQueues } from "../../agent-chat-core/a2a/queue.ts";
import {
  A2aAgents,
  AGENT_LIMITS,
  type AgentTimings,
  agentTimings,
  MemoryStore,
} from "../../agent-chat-core/index.ts";
import type { ToolResult } from "../../contract/errors.ts";
import {
  cardOf03,
  cardOf10,
  message03,
  type RemoteAgent,
  type Script,
  type Step,
  startAgent,
  TOKEN,
  task03,
} from "./support/a2a-server.ts";
import { until } from "./support/chat.ts";
import { sendJson } from "./support/http.ts";

const SHORT: Partial<AgentTimings> = { a2aPoll: 2, a2aTask: 60_000, a2aRequest: 20_000 };

interface Bound {
  agents: A2aAgents;
  agent: RemoteAgent;
  /** Calls the agent's tool. */
  send: (args: Record<string, unknown>, signal?: AbortSignal) => Promise<ToolResult>;
}

async function bound(script: Script, timings: Partial<AgentTimings> = {}): Promise<Bound> {
  const agent = await startAgent(script);
  const agents = await A2aAgents.open({ store: new MemoryStore(), timings: { ...SHORT, ...timings } });
  onTestFinished(() => agents.close());
  await agents.save({ id: "analyst", cardUrl: agent.cardUrl, token: TOKEN });
  await until("the card is there", () => agents.tools.length === 1);
  const never = new AbortController().signal;
  const send: Bound["send"] = async (args, signal = never) => {
    const [tool] = agents.tools;
    if (!tool) throw new Error("no tool");
    return tool.call(args, { signal });
  };
  return { agents, agent, send };
}

function words(result: ToolResult): string {
  return (result.content as { text: string }[]).map(({ text }) => text).join("\n");
}

/** The `message` of a request's params. */
function messageOf(agent: RemoteAgent, index = 0): Record<string, unknown> {
  const params = agent.requests[index]?.body.params as { message?: Record<string, unknown> } | undefined;
  return params?.message ?? {};
}

describe("message/send", () => {
  it("has the shape of 0.3, the token, and an id of ours", async () => {
    const { agent, send } = await bound({ steps: [message03("42 orders")] });
    expect(await send({ task: "Count them" })).toEqual({ content: [{ type: "text", text: "42 orders" }] });
    expect(agent.requests[0]).toMatchObject({
      method: "POST",
      path: "/rpc",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", "a2a-version": "0.3" },
      body: { jsonrpc: "2.0", method: "message/send" },
    });
    expect(messageOf(agent)).toEqual({
      kind: "message",
      role: "user",
      parts: [{ kind: "text", text: "Count them" }],
      messageId: expect.stringMatching(/^a2a-msg-.+/),
    });
  });

  it("goes to the endpoint that the user entered", async () => {
    const other = await startAgent({ steps: [message03("here")] });
    const { agents, agent, send } = await bound({ steps: [message03("there")] });
    const draft = { id: "analyst", cardUrl: agent.cardUrl, endpoint: `${other.url}/own`, token: TOKEN };
    await agents.save(draft, "analyst");
    await until("the card is there", () => agents.list[0]?.state === "ready");
    expect(words(await send({ task: "x" }))).toBe("here");
    expect(other.requests[0]?.path).toBe("/own");
    expect(agent.requests).toEqual([]);
  });

  it.each([
    ["data", [{ kind: "data", data: { a: 1 } }], '{"a":1}'],
    [
      "a file, which is not fetched",
      [{ kind: "file", file: { name: "f.csv", mimeType: "text/csv", uri: "https://evil.example/f" } }],
      "[file f.csv, text/csv, https://evil.example/f, not shown]",
    ],
    ["several parts", [{ kind: "text", text: "a" }, { kind: "text", text: "b" }, null, 7], "a\nb"],
    ["nothing", [], "(the agent said nothing)"],
  ])("an answer of %s", async (_what, parts, expected) => {
    const { send } = await bound({
      steps: [{ result: { kind: "message", role: "agent", messageId: "m", parts } }],
    });
    expect(words(await send({ task: "x" }))).toBe(expected);
  });
});

describe("1.0", () => {
  it("is spoken natively where the card offers nothing else", async () => {
    const task = (state: string, more = {}) => ({ id: "t", contextId: "c", status: { state }, ...more });
    const artifacts = [
      {
        artifactId: "a",
        name: "Report",
        parts: [
          { text: "7 late" },
          { data: [1] },
          { url: "https://x.example/f", filename: "f", mediaType: "image/png" },
        ],
      },
    ];
    const steps = [
      { result: { task: task("TASK_STATE_SUBMITTED") } },
      { result: task("TASK_STATE_WORKING") },
      { result: task("TASK_STATE_COMPLETED", { artifacts }) },
    ];
    const { agents, agent, send } = await bound({ card: cardOf10, steps });
    expect(agents.list[0]?.card).toMatchObject({ protocol: "1.0", endpoint: `${agent.url}/rpc` });
    expect(words(await send({ task: "x" }))).toBe(
      "Report:\n7 late\n[1]\n[file f, image/png, https://x.example/f, not shown]",
    );
    expect(agent.requests.map(({ body }) => body.method)).toEqual(["SendMessage", "GetTask", "GetTask"]);
    expect(agent.requests[0]?.headers["a2a-version"]).toBe("1.0");
    expect(messageOf(agent)).toEqual({
      role: "ROLE_USER",
      parts: [{ text: "x" }],
      messageId: expect.stringMatching(/^a2a-msg-/),
    });
  });

  it("a direct message, and a tenant that is sent along", async () => {
    const card = (url: string) => ({
      ...cardOf10(url),
      supportedInterfaces: [
        { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "acme" },
      ],
    });
    const steps = [
      { result: { message: { role: "ROLE_AGENT", messageId: "m", parts: [{ text: "hello" }] } } },
    ];
    const { agent, send } = await bound({ card, steps });
    expect(words(await send({ task: "x" }))).toBe("hello");
    expect(agent.requests[0]?.body.params).toMatchObject({ tenant: "acme" });
  });

  it("is passed over for 0.3 where the card offers both", async () => {
    const card = (url: string) => ({ ...cardOf03(url), ...cardOf10(`${url}/new`) });
    const { agents } = await bound({ card });
    expect(agents.list[0]?.card?.protocol).toBe("0.3");
  });
});

describe("a task that is not over", () => {
  it("is polled until it is", async () => {
    const steps = [
      task03("submitted"),
      task03("working"),
      task03("unknown"),
      task03("completed", "3 late orders"),
    ];
    const { agent, send } = await bound({ steps });
    expect(words(await send({ task: "x" }))).toBe("3 late orders");
    expect(agent.requests.map(({ body }) => body.method)).toEqual([
      "message/send",
      "tasks/get",
      "tasks/get",
      "tasks/get",
    ]);
    expect(agent.requests[1]?.body.params).toEqual({ id: "task-1" });
  });

  it("waits between two polls", async () => {
    const times: number[] = [];
    const { agent, send } = await bound(
      { steps: [task03("working"), task03("working"), task03("completed")] },
      { a2aPoll: 60 },
    );
    agent.onRequest = () => times.push(performance.now());
    await send({ task: "x" });
    const [sent = 0, first = 0, second = 0] = times;
    expect(Math.min(first - sent, second - first)).toBeGreaterThanOrEqual(55);
  });

  it(`is given up after ${AGENT_LIMITS.a2aPolls} polls`, async () => {
    const { agent, send } = await bound({ steps: [task03("working")] });
    const result = await send({ task: "x" });
    expect(words(result)).toMatch(/^a2a_timeout: .*task-1/);
    expect(result.isError).toBe(true);
    expect(agent.requests.filter(({ body }) => body.method === "tasks/get")).toHaveLength(
      AGENT_LIMITS.a2aPolls,
    );
  });

  it("is given up at its deadline, whatever the polls do, and cancelled there", async () => {
    const { agent, send } = await bound({ steps: [task03("working")] }, { a2aTask: 1_000, a2aPoll: 30 });
    expect(words(await send({ task: "x" }))).toMatch(/^a2a_timeout: .* 1 s/);
    await until("it is cancelled", () => agent.requests.at(-1)?.body.method === "tasks/cancel");
  });

  it("survives a poll that fails, and not three in a row", async () => {
    const failing: Step = { respond: (response) => sendJson(response, {}, 503) };
    const steps = [
      task03("working"),
      failing,
      failing,
      task03("working"),
      failing,
      task03("completed", "made it"),
    ];
    const { send } = await bound({ steps });
    expect(words(await send({ task: "x" }))).toBe("made it");
    const { send: other } = await bound({ steps: [task03("working"), failing] });
    expect(words(await other({ task: "x" }))).toMatch(/^a2a_network: .*503/);
  });

  it("is cancelled there when the user stops", async () => {
    const abort = new AbortController();
    const { agent, send } = await bound({ steps: [task03("working")] }, { a2aPoll: 10 });
    agent.onRequest = ({ body }) => {
      if (body.method === "tasks/get") abort.abort();
    };
    const result = await send({ task: "x" }, abort.signal);
    expect(words(result)).toMatch(/^cancelled: /);
    await until("it is cancelled", () => agent.requests.at(-1)?.body.method === "tasks/cancel");
    expect(agent.requests.at(-1)?.body.params).toEqual({ id: "task-1" });
  });
});

describe("how a task ends", () => {
  it.each([
    ["failed", /^a2a_failed: The task was failed: no data/],
    ["rejected", /^a2a_failed: The task was rejected: no data/],
    ["canceled", /^a2a_failed: The task was canceled: no data/],
    ["auth-required", /^a2a_auth: The agent asks for credentials: no data/],
  ])("%s is an error", async (state, expected) => {
    const { send } = await bound({ steps: [task03("working"), task03(state, "no data")] });
    const result = await send({ task: "x" });
    expect(result.isError).toBe(true);
    expect(words(result)).toMatch(expected);
  });

  it("input-required is text with the task's id, and a call with that id goes on", async () => {
    const steps = [
      task03("working"),
      task03("input-required", "Which month?"),
      task03("completed", "June: 5"),
    ];
    const { agent, send } = await bound({ steps });
    const asked = await send({ task: "Sum it up" });
    expect(asked.isError).toBeUndefined();
    expect(words(asked)).toMatch(/^Which month\?[\s\S]*taskId "task-1"/);
    expect(words(await send({ task: "June", taskId: "task-1" }))).toBe("June: 5");
    expect(messageOf(agent, 2)).toMatchObject({
      taskId: "task-1",
      contextId: "context-1",
      parts: [{ text: "June" }],
    });
  });

  it("a completed task without artifacts says what its status or history says", async () => {
    const status = {
      state: "completed",
      message: { role: "agent", parts: [{ kind: "text", text: "by status" }] },
    };
    const history = [
      { role: "user", parts: [{ kind: "text", text: "q" }] },
      { role: "agent", parts: [{ kind: "text", text: "by history" }] },
    ];
    const { send } = await bound({
      steps: [
        { result: { kind: "task", id: "t", contextId: "c", status } },
        { result: { kind: "task", id: "t", contextId: "c", status: { state: "completed" }, history } },
      ],
    });
    expect(words(await send({ task: "x" }))).toBe("by status");
    expect(words(await send({ task: "x" }))).toBe("by history");
  });
});

describe("one running task for each agent", () => {
  it("a second call waits its turn", async () => {
    const held: (() => void)[] = [];
    const steps: Step[] = [
      {
        respond: (response, id) =>
          held.push(() => sendJson(response, { jsonrpc: "2.0", id, ...message03("done") })),
      },
    ];
    const { agents, agent, send } = await bound({ steps });
    const first = send({ task: "first" });
    const second = send({ task: "second" });
    await until("the first is there", () => held.length === 1);
    expect(agents.list[0]?.running).toBe(2);
    held[0]?.();
    await first;
    await until("the second is there", () => held.length === 2);
    expect(agent.requests.map((_, index) => messageOf(agent, index).parts)).toMatchObject([
      [{ text: "first" }],
      [{ text: "second" }],
    ]);
    held[1]?.();
    await second;
    expect(agents.list[0]?.running).toBe(0);
  });

  it("waits within its own deadline, did nothing then, and the next one still gets its turn", async () => {
    const held: (() => void)[] = [];
    const respond = (response: ServerResponse, id: unknown) =>
      held.push(() => sendJson(response, { jsonrpc: "2.0", id, ...message03("done") }));
    const agent = await startAgent({ steps: [{ respond }] });
    const queues = new TaskQueues(() => {});
    const call = (task: string, a2aTask: number) => {
      const card = parseCard(cardOf03(agent.url), { id: "a", cardUrl: agent.cardUrl });
      const { signal: gone } = new AbortController();
      const base = { id: "a", card, token: "", fetch, queues, gone, contexts: new Map() };
      const tool = agentTool({ ...base, timings: agentTimings({ ...SHORT, a2aTask }) });
      return tool.call({ task }, { signal: new AbortController().signal });
    };
    const slow = call("slow", 60_000);
    await until("it is there", () => held.length === 1);
    const waiting = await call("waiting", 40);
    expect(words(waiting)).toMatch(/^a2a_busy: .*0\.04 s/);
    expect(waiting._meta).toMatchObject({ "webmcp-e2e/error": { executed: "no" } });
    const next = call("next", 60_000);
    // As long as a request takes and more: the next one would be there by now.
    for (let n = 0; n < 20; n++) await fetch(agent.cardUrl);
    expect(agent.requests).toHaveLength(1);
    held[0]?.();
    expect(words(await slow)).toBe("done");
    await until("the next is there", () => held.length === 2);
    held[1]?.();
    expect(words(await next)).toBe("done");
    expect(agent.requests.map((_, index) => messageOf(agent, index).parts)).toMatchObject([
      [{ text: "slow" }],
      [{ text: "next" }],
    ]);
  });

  it("a call that is stopped while it waits never goes out", async () => {
    const abort = new AbortController();
    const { agent, send } = await bound({ steps: [{ respond: () => {} }] }, { a2aTask: 60_000 });
    void send({ task: "first" });
    await until("the first is there", () => agent.requests.length === 1);
    const waiting = send({ task: "second" }, abort.signal);
    abort.abort();
    expect(await waiting).toMatchObject({
      isError: true,
      _meta: { "webmcp-e2e/error": { code: "cancelled", executed: "no" } },
    });
    expect(agent.requests).toHaveLength(1);
  });
});

describe("an agent that lies", () => {
  const rpc = (body: object): Step => ({
    respond: (response, id) => sendJson(response, { jsonrpc: "2.0", id, ...body }),
  });

  it.each<[string, Step, RegExp]>([
    ["no JSON", { respond: (response) => response.end("<html>") }, /^a2a_protocol: .*no JSON/],
    ["no JSON-RPC", { respond: (response) => sendJson(response, { ok: 1 }) }, /^a2a_protocol: .*JSON-RPC/],
    [
      "another request's id",
      { respond: (response) => sendJson(response, { jsonrpc: "2.0", id: "x", ...message03("mine") }) },
      /^a2a_protocol: .*another request's id/,
    ],
    ["no result", rpc({}), /^a2a_protocol: /],
    ["a result that is a text", rpc({ result: "done" }), /^a2a_protocol: /],
    [
      "a task without an id",
      rpc({ result: { kind: "task", status: { state: "completed" } } }),
      /^a2a_protocol: .*no id/,
    ],
    ["a task without a status", rpc({ result: { kind: "task", id: "t" } }), /^a2a_protocol: .*no status/],
    ["a message without parts", rpc({ result: { kind: "message" } }), /^a2a_protocol: .*parts/],
    [
      "an error",
      rpc({ error: { code: -32602, message: `bad, ${TOKEN}` } }),
      /^a2a_failed: .*-32602: bad, ••••/,
    ],
    ["status 401", { respond: (response) => sendJson(response, {}, 401) }, /^a2a_auth: .*401/],
    ["status 404", { respond: (response) => sendJson(response, {}, 404) }, /^a2a_protocol: .*404/],
    [
      "a redirect",
      { respond: (response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end() },
      /^a2a_network: /,
    ],
    ["a closed connection", { respond: (response) => response.socket?.destroy() }, /^a2a_network: /],
    [
      "too much",
      { respond: (response) => response.end("x".repeat(AGENT_LIMITS.a2aAnswer + 1)) },
      /^a2a_protocol: .*too big/,
    ],
  ])("with %s is an error result without the token", async (_what, step, expected) => {
    const { send } = await bound({ steps: [step] });
    const result = await send({ task: "x" });
    expect(result.isError).toBe(true);
    expect(words(result)).toMatch(expected);
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it("by a redirect gets the token and the task to no other place", async () => {
    const thief = await startAgent({ steps: [message03("mine")] });
    const respond = (response: ServerResponse) =>
      response.writeHead(307, { location: `${thief.url}/rpc` }).end();
    const { send } = await bound({ steps: [{ respond }] });
    expect(words(await send({ task: "x" }))).toMatch(/^a2a_network: .*redirects/);
    expect(thief.requests).toEqual([]);
  });

  it("about which task it is, is not believed", async () => {
    const { send } = await bound({
      steps: [task03("working"), task03("completed", "of someone else", "task-2")],
    });
    expect(words(await send({ task: "x" }))).toMatch(/^a2a_protocol: .*another task/);
  });

  it("is not waited for without end", async () => {
    const { send } = await bound({ steps: [{ respond: () => {} }] }, { a2aTask: 50 });
    expect(words(await send({ task: "x" }))).toMatch(/^a2a_timeout: /);
  });
});

it("nothing of an agent runs on when its binding is removed", async () => {
  const { agents, agent, send } = await bound({ steps: [task03("working")] }, { a2aPoll: 10 });
  const sent = send({ task: "x" });
  await until("it is polled", () => agent.requests.length > 1);
  await agents.remove("analyst");
  expect(words(await sent)).toMatch(/^a2a_failed: .*removed/);
  await until("it is cancelled", () => agent.requests.at(-1)?.body.method === "tasks/cancel");
});
