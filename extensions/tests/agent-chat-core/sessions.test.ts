/** Sessions: stored, found again after the panel closed, bounded. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  AGENT_LIMITS,
  AgentChat,
  MemoryStore,
  mergeTools,
  STORE_KEYS,
  type Store,
} from "../../agent-chat-core/index.ts";
import { SessionStore } from "../../agent-chat-core/session/session-store.ts";
import { jsonBytes } from "../../contract/limits.ts";
import {
  type Bench,
  callsOf,
  lastMessages,
  lastTurn,
  openBench,
  resultText,
  scriptedTool,
  textResult,
  until,
} from "./support/chat.ts";
import type { Answer } from "./support/model-server.ts";

/** Another panel document on the same storage. */
async function reopened({ store, profiles, llm }: Bench): Promise<AgentChat> {
  const chat = await AgentChat.open({ store, profiles, llm, catalogue: () => mergeTools() });
  onTestFinished(() => chat.close());
  return chat;
}

describe("two panels on one storage", () => {
  it("lose no session that both store at once", async () => {
    const store = new MemoryStore();
    const panels = [new SessionStore(store), new SessionStore(store)];
    const session = (id: string) => ({ id, title: id, createdAt: 1, updatedAt: 1, turns: [] });
    const saves = ["a", "b", "c"].flatMap((id) =>
      panels.map((panel, number) => panel.saveHeader(session(`${id}${number}`))),
    );
    await Promise.all(saves);
    const ids = (await panels[0]?.list())?.map(({ id }) => id).sort();
    expect(ids).toEqual(["a0", "a1", "b0", "b1", "c0", "c1"]);
  });

  it("learn of each other's", async () => {
    const bench = await openBench({ script: [{ text: ["a"] }] });
    const other = await reopened(bench);
    await bench.chat.send("What is it?");
    expect(other.state.sessions).toEqual([]);
    await other.relist();
    expect(other.state.sessions.map(({ title }) => title)).toEqual(["What is it?"]);
  });
});

const PATIENCE = { timeout: 10_000, interval: 5 };

const stuck = () => scriptedTool("tab1__stuck", () => new Promise(() => {}));

describe("a panel that opens again", () => {
  it("finds the session as it was", async () => {
    const tool = scriptedTool("tab1__read", async () => textResult("42"));
    const script = [{ text: ["look: "], calls: [{ name: "tab1__read" }] }, { text: ["it is 42"] }];
    const bench = await openBench({ script, tools: [tool] });
    await bench.chat.send("What is it?");
    const chat = await reopened(bench);
    expect(chat.state.session).toEqual(bench.chat.state.session);
    expect(chat.state.sessions.map(({ title }) => title)).toEqual(["What is it?"]);
  });

  it("shows a turn that was cut off as interrupted, its calls with an unknown outcome", async () => {
    const quick = scriptedTool("tab1__quick", async () => textResult("had"));
    const script = [{ calls: [{ name: "tab1__quick" }, { name: "tab1__stuck" }] }];
    const bench = await openBench({ script, tools: [quick, stuck()] });
    void bench.chat.send("go");
    await until("one is done", () => callsOf(bench.chat)[0]?.status === "done");
    // The document is gone without a word: nothing of it runs its end.
    await storedResult(bench, "had");
    const chat = await reopened(bench);
    expect(lastTurn(chat).status).toBe("interrupted");
    expect(callsOf(chat).map(({ status }) => status)).toEqual(["done", "outcome_unknown"]);
    expect(resultText(callsOf(chat)[0])).toBe("had");
    expect(resultText(callsOf(chat)[1])).toMatch(/^outcome_unknown: The panel closed.*Check/);
  });

  it("after a proper end has it interrupted too", async () => {
    const bench = await openBench({ script: [{ text: ["I am"], ending: "hang" }] });
    void bench.chat.send("go");
    await until("text", () => lastTurn(bench.chat).messages[0]?.text === "I am");
    await bench.chat.close();
    const chat = await reopened(bench);
    expect(lastTurn(chat)).toMatchObject({
      status: "interrupted",
      messages: [{ text: "I am", status: "interrupted" }],
    });
  });

  it("sends the text again on Resend, and the model learns of the unknown outcome", async () => {
    const script = [{ calls: [{ name: "tab1__stuck" }] }, { text: ["checked"] }];
    const bench = await openBench({ script, tools: [stuck()] });
    void bench.chat.send("delete order 7");
    await until("it runs", () => callsOf(bench.chat)[0]?.status === "running");
    await bench.chat.close();
    const chat = await reopened(bench);
    await chat.resend();
    expect(chat.state.session.turns.map(({ text, status }) => [text, status])).toEqual([
      ["delete order 7", "interrupted"],
      ["delete order 7", "done"],
    ]);
    const [result, question] = lastMessages(bench.model.requests[1], 2);
    expect(result?.content).toMatch(/Check what it did/);
    expect(question).toEqual({ role: "user", content: "delete order 7" });
  });

  it("has what was on display, also where the document went at once", async () => {
    const tool = scriptedTool("tab1__read", async () => textResult("42"));
    const script: Answer[] = [{ calls: [{ name: "tab1__read" }] }, { text: ["it is 42"], ending: "hang" }];
    const bench = await openBench({ script, tools: [tool], timings: { saveEvery: 600_000 } });
    void bench.chat.send("go");
    await until("its answer streams", () => lastTurn(bench.chat).messages[1]?.text === "it is 42");
    const before = await reopened(bench);
    expect(callsOf(before)).toMatchObject([{ status: "done", result: textResult("42") }]);
    void bench.chat.close();
    await vi.waitFor(async () => {
      const stored = JSON.stringify(await bench.store.get(`agentTurn/${lastTurn(before).id}`));
      expect(stored).toContain("it is 42");
    }, PATIENCE);
  });

  it("stores a call before it begins", async () => {
    const store = new MemoryStore();
    const seen: unknown[] = [];
    const tool = scriptedTool("tab1__look", async () => {
      const keys = (await store.get(STORE_KEYS.sessions)) as { id: string }[];
      const { turnIds } = (await store.get(`agentSession/${keys[0]?.id}`)) as { turnIds: string[] };
      seen.push(await store.get(`agentTurn/${turnIds[0]}`));
      return textResult("ok");
    });
    const bench = await openBench({
      script: [{ calls: [{ name: "tab1__look" }] }, {}],
      tools: [tool],
      store,
    });
    await bench.chat.send("go");
    expect(seen).toMatchObject([{ status: "running", messages: [{ calls: [{ name: "tab1__look" }] }] }]);
  });
});

/** Waits until the store has the turn with this text in a result. */
async function storedResult({ store, chat }: Bench, text: string): Promise<void> {
  await vi.waitFor(async () => {
    expect(JSON.stringify(await store.get(`agentTurn/${lastTurn(chat).id}`))).toContain(`"text":"${text}"`);
  }, PATIENCE);
}

it("two panels on one session lose none of each other's turns", async () => {
  const bench = await openBench({ script: [{ text: ["ok"] }] });
  await bench.chat.send("first");
  const other = await reopened(bench);
  await other.send("of the other panel");
  await bench.chat.send("of this panel");
  const third = await reopened(bench);
  expect(third.state.session.turns.map(({ text }) => text)).toEqual([
    "first",
    "of the other panel",
    "of this panel",
  ]);
});

describe("several sessions", () => {
  it("can be opened, renamed and deleted", async () => {
    const { chat, store } = await openBench({ script: [{ text: ["ok"] }] });
    await chat.send("first");
    const first = chat.state.session.id;
    chat.newSession();
    expect(chat.state.session.turns).toEqual([]);
    await chat.send("second");
    await chat.openSession(first);
    expect(lastTurn(chat).text).toBe("first");
    await chat.renameSession(first, "  Orders  ");
    expect(chat.state.sessions.find(({ id }) => id === first)?.title).toBe("Orders");
    const turnId = lastTurn(chat).id;
    await chat.deleteSession(first);
    expect(chat.state.sessions.map(({ title }) => title)).toEqual(["second"]);
    expect(chat.state.session.turns).toEqual([]);
    expect(await store.get(`agentTurn/${turnId}`)).toBeUndefined();
    expect(await store.get(`agentSession/${first}`)).toBeUndefined();
  });

  it("stay apart while a turn of one runs and another is shown", async () => {
    const { chat } = await openBench({ script: [{ text: ["ok"] }, { text: ["busy"], ending: "hang" }] });
    await chat.send("first");
    const first = chat.state.session.id;
    chat.newSession();
    void chat.send("second");
    await until("it streams", () => lastTurn(chat).messages[0]?.text === "busy");
    const second = chat.state.session.id;
    await chat.openSession(first);
    expect(chat.state).toMatchObject({ session: { id: first }, running: { sessionId: second } });
    await chat.openSession(second);
    expect(lastTurn(chat).messages[0]?.text).toBe("busy");
    await chat.deleteSession(second);
    expect(chat.state.running).toBeUndefined();
    expect(chat.state.sessions.map(({ id }) => id)).toEqual([first]);
  });

  it(`are ${AGENT_LIMITS.sessions} at most: the oldest goes, its turns too`, async () => {
    const store = new MemoryStore();
    const ids = Array.from({ length: AGENT_LIMITS.sessions }, (_, n) => `s${n}`);
    for (const id of ids) {
      await store.set(`agentSession/${id}`, { id, title: id, turnIds: [`turn-${id}`] });
      await store.set(`agentTurn/turn-${id}`, { id: `turn-${id}`, text: id });
    }
    const index = ids.map((id, n) => ({ id, title: id, createdAt: n, updatedAt: n }));
    await store.set(STORE_KEYS.sessions, index);
    const { chat } = await openBench({ script: [{ text: ["ok"] }], store });
    chat.newSession();
    await chat.send("one more");
    expect(chat.state.sessions).toHaveLength(AGENT_LIMITS.sessions);
    expect(chat.state.sessions[0]?.title).toBe("one more");
    expect(chat.state.sessions.at(-1)?.id).toBe("s1");
    const gone = [await store.get("agentSession/s0"), await store.get("agentTurn/turn-s0")];
    expect(gone).toEqual([undefined, undefined]);
    expect(await store.get("agentTurn/turn-s1")).toBeDefined();
  });
});

describe("storage", () => {
  it("keeps a big result up to its limit, and says that it was cut", async () => {
    const big = '"Größe"\n'.repeat(100_000);
    const tool = scriptedTool("tab1__big", async () => textResult(big));
    const bench = await openBench({ script: [{ calls: [{ name: "tab1__big" }] }, {}], tools: [tool] });
    await bench.chat.send("go");
    const [call] = callsOf(await reopened(bench));
    expect(call?.resultCut).toBe(true);
    expect(jsonBytes(call?.result)).toBeLessThanOrEqual(AGENT_LIMITS.storedResult);
    expect(jsonBytes(call?.result)).toBeGreaterThan(AGENT_LIMITS.storedResult / 4);
    expect(big.startsWith(resultText(call))).toBe(true);
  });

  it("that is full gives up the oldest other sessions", async () => {
    const store = fullAfter(2);
    const { chat } = await openBench({ script: [{ text: ["ok"] }], store });
    await chat.send("first");
    chat.newSession();
    await chat.send("second");
    chat.newSession();
    await chat.send("third");
    expect(chat.state.problem).toBeUndefined();
    expect((await store.get(STORE_KEYS.sessions)) as unknown[]).toHaveLength(2);
    expect(lastTurn(chat)).toMatchObject({ text: "third", status: "done" });
  });

  it("that fails ends no turn, and is told", async () => {
    const { chat } = await openBench({ script: [{ text: ["ok"] }], store: fullAfter(0) });
    await chat.send("go");
    expect(lastTurn(chat)).toMatchObject({ status: "done", messages: [{ text: "ok" }] });
    expect(chat.state.problem).toMatchObject({
      code: "storage",
      message: expect.stringMatching(/Delete sessions/),
    });
  });

  it.each([
    ["nothing sensible", { agentSessions: "x" }],
    ["an index of nonsense", { agentSessions: [null, 7, { id: 3 }, { id: "gone", title: {} }] }],
    [
      "a header of nonsense",
      { agentSessions: [{ id: "a", updatedAt: 1 }], "agentSession/a": { turnIds: 5 } },
    ],
    [
      "turns of nonsense",
      {
        agentSessions: [{ id: "a", updatedAt: 1 }],
        "agentSession/a": { id: "a", turnIds: ["t", "gone", 7] },
        "agentTurn/t": {
          id: "t",
          text: "hi",
          messages: [{ calls: [{ id: "c", name: "n", result: "x", status: "done" }] }],
        },
      },
    ],
  ])("with %s opens all the same", async (_what, values) => {
    const store = new MemoryStore();
    for (const [key, value] of Object.entries(values)) await store.set(key, value);
    const { chat } = await openBench({ script: [{ text: ["ok"] }], store });
    for (const call of chat.state.session.turns.flatMap(({ messages }) => messages[0]?.calls ?? [])) {
      expect(call.status).toBe("outcome_unknown");
    }
    await chat.send("go");
    expect(lastTurn(chat).status).toBe("done");
  });
});

/** A store with room for the turns of so many sessions. */
function fullAfter(turns: number): Store {
  const store = new MemoryStore();
  const kept = new Set<string>();
  return {
    get: (key) => store.get(key),
    set: async (key, value) => {
      if (key.startsWith("agentTurn/") && !kept.has(key) && kept.size >= turns)
        throw new Error("quota exceeded");
      if (key.startsWith("agentTurn/")) kept.add(key);
      await store.set(key, value);
    },
    remove: async (key) => {
      kept.delete(key);
      await store.remove(key);
    },
    exclusive: (task) => store.exclusive(task),
  };
}
