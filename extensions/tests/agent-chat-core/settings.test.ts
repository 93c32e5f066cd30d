/** The LLM's config and key, and the agents' profiles: validated whatever is stored. */
import { describe, expect, it } from "vitest";
import {
  type AgentProfile,
  LLM_DEFAULTS,
  type LlmConfig,
  LlmSettings,
  llmProblems,
  MemoryStore,
  Profiles,
  parseProfile,
  profileProblems,
  STORE_KEYS,
} from "../../agent-chat-core/index.ts";
import { KEY, lastTurn, openBench } from "./support/chat.ts";

const CONFIG: LlmConfig = {
  protocol: "openai-compat",
  baseUrl: "https://llm.example/v1",
  path: "/chat/completions",
  model: "m",
  maxTokens: 100,
};

describe("LLM settings", () => {
  it.each([
    ["protocol", "gopher"],
    ["baseUrl", "javascript:alert(1)"],
    ["baseUrl", "https://user:pass@llm.example"],
    ["baseUrl", "https://llm.example/?key=1"],
    ["baseUrl", "llm.example"],
    ["path", "chat"],
    ["path", "//evil.example/x y"],
    ["model", " "],
    ["maxTokens", 0],
    ["maxTokens", 1.5],
    ["maxTokens", "100"],
  ])("%s %j is refused with a sentence", (field, value) => {
    expect(llmProblems({ ...CONFIG, [field]: value })).toEqual([
      { field, message: expect.stringMatching(/\.$/) },
    ]);
  });

  it("store the key apart, and show nothing of it", async () => {
    const store = new MemoryStore();
    const settings = await LlmSettings.open(store);
    expect(await settings.save(CONFIG, KEY)).toEqual([]);
    expect(await store.get(STORE_KEYS.llm)).toEqual(CONFIG);
    expect(await store.get(STORE_KEYS.llmKey)).toBe(KEY);
    const again = await LlmSettings.open(store);
    expect(again.access()).toEqual({ ...CONFIG, key: KEY });
    expect(again.maskedKey).not.toBe("");
    expect(KEY).not.toContain(again.maskedKey);
  });

  it("keep the key, replace it, remove it", async () => {
    const settings = await LlmSettings.open(new MemoryStore());
    await settings.save(CONFIG, KEY);
    await settings.save({ ...CONFIG, model: "other" });
    expect(settings.access()).toMatchObject({ model: "other", key: KEY });
    await settings.save(CONFIG, "another");
    expect(settings.access().key).toBe("another");
    await settings.save(CONFIG, "");
    expect(settings).toMatchObject({ hasKey: false, maskedKey: "" });
  });

  it("never give the key to another origin than the one for which it was entered", async () => {
    const store = new MemoryStore();
    const settings = await LlmSettings.open(store);
    await settings.save(CONFIG, KEY);
    expect(settings.access({ baseUrl: "https://evil.example/v1" }).key).toBe("");
    expect(settings.access({ baseUrl: "https://llm.example/v2" }).key).toBe(KEY);
    // As an import does it.
    await store.set(STORE_KEYS.llm, { ...CONFIG, baseUrl: "https://evil.example" });
    await settings.reload();
    expect(settings).toMatchObject({ hasKey: false });
    expect(settings.access().key).toBe("");
  });

  it("that are read again while they are saved are the saved ones", async () => {
    const settings = await LlmSettings.open(new MemoryStore());
    const saved = settings.save({ ...CONFIG, model: "new" }, KEY);
    await Promise.all([settings.reload(), saved, settings.reload()]);
    expect(settings.access()).toMatchObject({ model: "new", key: KEY });
  });

  it("refuse a key that no header can carry", async () => {
    const settings = await LlmSettings.open(new MemoryStore());
    expect(await settings.save(CONFIG, "two\nlines")).toMatchObject([{ field: "key" }]);
    expect(settings.hasKey).toBe(false);
  });

  it.each([undefined, null, 7, "x", [], { protocol: "x", baseUrl: 7, maxTokens: -1, key: "k" }])(
    "open with the defaults where %j is stored",
    async (stored) => {
      const store = new MemoryStore();
      await store.set(STORE_KEYS.llm, stored);
      expect((await LlmSettings.open(store)).config).toEqual(LLM_DEFAULTS["openai-compat"]);
    },
  );
});

const OWN: AgentProfile = {
  id: "mine",
  name: "Mine",
  builtIn: false,
  rules: "Answer in rhymes.",
  inheritGlobalRules: true,
  skills: [{ name: "Rhymes", text: "moon, june" }],
};

describe("profiles", () => {
  it("begin with the built-in ones, tool-debug active", async () => {
    const { state, active } = await Profiles.open(new MemoryStore());
    expect(state.agents.map(({ id }) => id)).toEqual(["tool-debug", "multi-turn-loop", "a2a-analyst"]);
    expect(state.activeAgentId).toBe("tool-debug");
    expect(active.callsPerTurn).toBe(1);
  });

  it("are stored as {agents, activeAgentId}", async () => {
    const store = new MemoryStore();
    const profiles = await Profiles.open(store);
    expect(await profiles.save(OWN)).toEqual([]);
    await profiles.activate("mine");
    expect(await store.get("agentProfiles")).toMatchObject({
      agents: [{ id: "tool-debug" }, { id: "multi-turn-loop" }, { id: "a2a-analyst" }, OWN],
      activeAgentId: "mine",
    });
    const again = await Profiles.open(store);
    expect(again.active).toEqual(OWN);
    await again.remove("mine");
    expect(again.active.id).toBe("tool-debug");
  });

  it("refresh a built-in one, and leave the user's as they are, usable or not", async () => {
    const store = new MemoryStore();
    const strange = { id: "of the future", name: 7 };
    const agents = [{ id: "tool-debug", name: "old", rules: "old", builtIn: true }, OWN, strange];
    await store.set("agentProfiles", { agents, activeAgentId: "mine" });
    const profiles = await Profiles.open(store);
    expect(profiles.state.agents[0]).toMatchObject({ id: "tool-debug", name: "Tool debug" });
    expect(profiles.state.agents.map(({ id }) => id)).not.toContain("of the future");
    expect(profiles.active).toEqual(OWN);
    await profiles.activate("a2a-analyst");
    const stored = (await store.get("agentProfiles")) as { agents: unknown[] };
    expect(stored.agents.slice(3)).toEqual([OWN, strange]);
  });

  it("never keep a key in an override", async () => {
    const store = new MemoryStore();
    const profiles = await Profiles.open(store);
    const llm = { model: "big", key: KEY, apiKey: KEY } as AgentProfile["llm"] & object;
    await profiles.save({ ...OWN, llm });
    expect(JSON.stringify(await store.get("agentProfiles"))).not.toContain(KEY);
    await profiles.activate("mine");
    expect(profiles.active.llm).toEqual({ model: "big" });
  });

  it.each([
    ["id", { id: "no blanks" }],
    ["id", { id: "tool-debug" }],
    ["name", { name: "" }],
    ["rules", { rules: "x".repeat(20_001) }],
    ["skills", { skills: [{ name: "n" }] }],
    ["callsPerTurn", { callsPerTurn: 0 }],
    ["llm", { llm: { baseUrl: "ftp://x" } }],
  ])("refuse a bad %s: %j", async (field, change) => {
    expect(profileProblems({ ...OWN, ...change }).map((problem) => problem.field)).toEqual([field]);
    expect(parseProfile({ ...OWN, ...change })).toBeUndefined();
  });

  it.each([
    null,
    7,
    [],
    { agents: 7, activeAgentId: {} },
    { agents: [null, [], "x"], activeAgentId: "gone" },
  ])("open where %j is stored", async (stored) => {
    const store = new MemoryStore();
    await store.set("agentProfiles", stored);
    expect((await Profiles.open(store)).active.id).toBe("tool-debug");
  });

  it("reject an id that is none", async () => {
    const profiles = await Profiles.open(new MemoryStore());
    await expect(profiles.activate("gone")).rejects.toMatchObject({ problem: { code: "invalid" } });
  });
});

describe("the active agent in a turn", () => {
  const GLOBAL = "Be brief.";

  async function systemOf(own: Partial<AgentProfile>): Promise<string> {
    const { chat, profiles, model } = await openBench({
      protocol: "anthropic",
      script: [{ text: ["ok"] }],
      own,
    });
    await profiles.setGlobalRules(GLOBAL);
    await chat.send("go");
    return String(model.requests[0]?.body.system);
  }

  it("gives its rules and skills, and the global rules where it inherits them", async () => {
    const { rules, skills } = OWN;
    const system = await systemOf({ rules, skills });
    expect(system).toContain(GLOBAL);
    expect(system.indexOf(GLOBAL)).toBeLessThan(system.indexOf(rules));
    expect(system).toContain("moon, june");
    expect(await systemOf({ rules, inheritGlobalRules: false })).not.toContain(GLOBAL);
  });

  it("overrides the model, and is named in the turn", async () => {
    const own = { name: "Big one", llm: { model: "big", maxTokens: 9 } };
    const { chat, model } = await openBench({ script: [{ text: ["ok"] }], own });
    await chat.send("go");
    expect(model.requests[0]?.body).toMatchObject({ model: "big", max_tokens: 9 });
    expect(lastTurn(chat)).toMatchObject({ agent: { id: "own", name: "Big one" }, model: "big" });
  });
});
