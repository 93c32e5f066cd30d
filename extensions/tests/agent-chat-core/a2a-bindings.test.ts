/** Bindings of remote agents: stored, validated, tested; cards that lie or cannot be had. */
import { describe, expect, it, onTestFinished } from "vitest";
import {
  A2aAgents,
  type A2aDraft,
  a2aProblems,
  MemoryStore,
  parseA2aAgent,
  type Store,
} from "../../agent-chat-core/index.ts";
import { cardOf03, startAgent, TOKEN } from "./support/a2a-server.ts";
import { until } from "./support/chat.ts";

async function open(store: Store = new MemoryStore()): Promise<A2aAgents> {
  const agents = await A2aAgents.open({ store, timings: { a2aRequest: 20_000 } });
  onTestFinished(() => agents.close());
  return agents;
}

const draft = (cardUrl: string, more: Partial<A2aDraft> = {}): A2aDraft => ({
  id: "analyst",
  cardUrl,
  ...more,
});

describe("a binding", () => {
  it("is stored with its token apart, and becomes a tool", async () => {
    const store = new MemoryStore();
    const agent = await startAgent();
    const agents = await open(store);
    expect(await agents.save(draft(agent.cardUrl, { token: TOKEN }))).toEqual([]);
    expect(await store.get("a2aAgents")).toEqual([{ id: "analyst", cardUrl: agent.cardUrl }]);
    expect(await store.get("a2aTokens")).toEqual({ analyst: TOKEN });
    await until("its card is there", () => agents.list[0]?.state === "ready");
    expect(agents.list[0]).toMatchObject({
      hasToken: true,
      card: { name: "Analyst", skills: [{ id: "sum" }] },
    });
    expect(JSON.stringify(agents.list)).not.toContain(TOKEN);
    expect(agents.tools).toMatchObject([
      {
        name: "a2a__analyst__send_task",
        kind: "a2a",
        source: "analyst",
        inputSchema: { required: ["task"], additionalProperties: false },
        description: expect.stringMatching(/"Analyst".*Analyses tables.*Sums/),
      },
    ]);
    expect(agent.cards[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("is found again, edited and removed", async () => {
    const store = new MemoryStore();
    const [one, two] = [await startAgent(), await startAgent()];
    await (await open(store)).save(draft(one.cardUrl));
    const agents = await open(store);
    await agents.save(draft(two.cardUrl, { id: "other" }), "analyst");
    expect(agents.list.map(({ agent }) => agent)).toEqual([{ id: "other", cardUrl: two.cardUrl }]);
    await until("its card is there", () => agents.tools[0]?.name === "a2a__other__send_task");
    await agents.remove("other");
    expect([agents.list, agents.tools]).toEqual([[], []]);
    expect([await store.get("a2aAgents"), await store.get("a2aTokens")]).toEqual([[], {}]);
  });

  it("keeps its token when it is edited without one, drops it on demand, and where the place changes", async () => {
    const store = new MemoryStore();
    const agent = await startAgent();
    const agents = await open(store);
    await agents.save(draft(agent.cardUrl, { token: TOKEN }));
    await agents.save(draft(`${agent.cardUrl}?v=2`, { endpoint: `${agent.url}/rpc` }), "analyst");
    expect(agents.list[0]?.hasToken).toBe(true);
    await agents.save(draft(agent.cardUrl, { endpoint: "https://evil.example/rpc" }), "analyst");
    expect(agents.list[0]?.hasToken).toBe(false);
    await agents.save(draft(agent.cardUrl, { token: TOKEN }), "analyst");
    await agents.save(draft(agent.cardUrl, { token: "" }), "analyst");
    expect(await store.get("a2aTokens")).toEqual({});
  });

  it.each<[string, Partial<A2aDraft>]>([
    ["id", { id: "" }],
    ["id", { id: "has blanks" }],
    ["id", { id: "x".repeat(33) }],
    ["id", { id: "taken" }],
    ["cardUrl", { cardUrl: "javascript:alert(1)" }],
    ["cardUrl", { cardUrl: "file:///etc/passwd" }],
    ["cardUrl", { cardUrl: "https://user:pass@agent.example" }],
    ["cardUrl", { cardUrl: "agent.example" }],
    ["endpoint", { endpoint: "ws://agent.example" }],
    ["token", { token: "two\r\nX-Evil: 1" }],
  ])("with a bad %s is refused: %j", async (field, change) => {
    const store = new MemoryStore();
    await store.set("a2aAgents", [{ id: "taken", cardUrl: "http://127.0.0.1:9/" }]);
    const agents = await open(store);
    const problems = await agents.save(draft("http://127.0.0.1:9/", change));
    expect(problems).toEqual([{ field, message: expect.stringMatching(/\.$/) }]);
    expect(agents.list).toHaveLength(1);
  });

  it("of an import is checked like one of the form", () => {
    expect(a2aProblems({ id: "a", cardUrl: "https://a.example/card", token: 7, more: 1 })).toEqual([]);
    expect(parseA2aAgent({ id: "a", cardUrl: "https://a.example/card", token: TOKEN })).toEqual({
      id: "a",
      cardUrl: "https://a.example/card",
    });
    expect(parseA2aAgent(null)).toBeUndefined();
    expect(a2aProblems([]).map(({ field }) => field)).toEqual(["id", "cardUrl"]);
  });
});

describe("stored values", () => {
  it.each([
    7,
    "x",
    {},
    [null, 7, {}, { id: "a b", cardUrl: "https://x.example" }, { id: "a", cardUrl: "ftp://x" }],
  ])("of nonsense are left out: %j", async (stored) => {
    const store = new MemoryStore();
    await store.set("a2aAgents", stored);
    await store.set("a2aTokens", stored);
    expect((await open(store)).list).toEqual([]);
  });

  it("that change elsewhere are taken over; what is the same goes on", async () => {
    const store = new MemoryStore();
    const agent = await startAgent();
    const agents = await open(store);
    await agents.save(draft(agent.cardUrl));
    await until("its card is there", () => agents.tools.length === 1);
    const [tool] = agents.tools;
    await store.set("a2aAgents", [
      { id: "analyst", cardUrl: agent.cardUrl },
      { id: "second", cardUrl: agent.cardUrl },
    ]);
    await agents.reload();
    await until("both are there", () => agents.tools.length === 2);
    expect(agents.tools[0]).toBe(tool);
  });
});

describe("a card that cannot be had", () => {
  it("takes out its own agent only, and comes back by refresh", async () => {
    let isDead = true;
    const dead = await startAgent({ card: (url) => (isDead ? null : cardOf03(url)) });
    const alive = await startAgent();
    const agents = await open();
    await agents.save(draft(dead.cardUrl, { id: "dead" }));
    await agents.save(draft(alive.cardUrl, { id: "alive" }));
    await agents.save(draft("http://127.0.0.1:9/card", { id: "gone" }));
    await until("all are settled", () => agents.list.every(({ state }) => state !== "loading"));
    expect(agents.list.map(({ state, problem }) => [state, problem?.code])).toEqual([
      ["error", "a2a_network"],
      ["ready", undefined],
      ["error", "a2a_network"],
    ]);
    expect(agents.tools.map(({ name }) => name)).toEqual(["a2a__alive__send_task"]);
    isDead = false;
    await agents.refresh("dead");
    expect(agents.tools.map(({ name }) => name)).toEqual(["a2a__dead__send_task", "a2a__alive__send_task"]);
  });

  it.each<[string, (url: string) => unknown]>([
    ["no object", () => [1]],
    ["no name", (url) => ({ ...cardOf03(url), name: " " })],
    ["no URL", () => ({ name: "x" })],
    ["a script for a URL", (url) => ({ ...cardOf03(url), url: "javascript:alert(1)" })],
    ["another transport only", (url) => ({ ...cardOf03(url), preferredTransport: "GRPC" })],
  ])("because it is %s: a2a_card", async (_what, card) => {
    const agent = await startAgent({ card });
    const test = await (await open()).test(draft(agent.cardUrl));
    expect(test).toMatchObject({
      ok: false,
      problem: { code: "a2a_card", message: expect.stringMatching(/Check the card URL/) },
    });
  });
});

describe("a hostile card", () => {
  it("is cut, and its text stays text", async () => {
    const long = "<img src=x onerror=alert(1)>".repeat(50);
    const skills = Array.from({ length: 300 }, () => ({ id: long, name: long, description: long }));
    const agent = await startAgent({
      card: (url) => ({ ...cardOf03(url), name: long, description: long, skills }),
    });
    const test = await (await open()).test(draft(agent.cardUrl));
    expect(test.ok).toBe(true);
    expect(JSON.stringify(test).length).toBeLessThan(40_000);
  });

  it("does not get the user's token to another place", async () => {
    const thief = await startAgent();
    const agent = await startAgent({ card: (url) => ({ ...cardOf03(url), url: thief.url }) });
    const agents = await open();
    const stolen = await agents.test(draft(agent.cardUrl, { token: TOKEN }));
    expect(stolen).toMatchObject({
      ok: false,
      problem: { code: "a2a_card", message: expect.stringMatching(/token is not sent/) },
    });
    // Without a token there is nothing to lose, and what the user enters is the user's word.
    expect(await agents.test(draft(agent.cardUrl))).toMatchObject({ ok: true });
    const entered = await agents.test(draft(agent.cardUrl, { token: TOKEN, endpoint: `${thief.url}/rpc` }));
    expect(entered).toMatchObject({ ok: true });
  });
});

describe("the connection test", () => {
  it("gives the card and stores nothing", async () => {
    const store = new MemoryStore();
    const agent = await startAgent();
    const agents = await open(store);
    expect(await agents.test(draft(agent.cardUrl))).toMatchObject({
      ok: true,
      card: { name: "Analyst", protocol: "0.3" },
    });
    expect([agents.list, await store.get("a2aAgents")]).toEqual([[], undefined]);
  });

  it("uses the stored token of the agent that is edited", async () => {
    const agent = await startAgent();
    const agents = await open();
    await agents.save(draft(agent.cardUrl, { token: TOKEN }));
    await agents.test(draft(agent.cardUrl), "analyst");
    expect(agent.cards.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("says what is wrong with the draft, and can be stopped", async () => {
    const agents = await open();
    expect(await agents.test(draft("nonsense"))).toMatchObject({ ok: false, problem: { code: "invalid" } });
    const abort = new AbortController();
    abort.abort();
    const agent = await startAgent();
    expect(await agents.test(draft(agent.cardUrl), undefined, abort.signal)).toMatchObject({ ok: false });
    expect(agent.cards).toEqual([]);
  });
});
