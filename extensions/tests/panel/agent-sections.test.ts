/** The agent's parts of a settings file: no key goes out, nothing unexpected comes in, no secret goes elsewhere. */
import { describe, expect, it } from "vitest";
import { a2aSection } from "../../host/side-panel/a2a/a2a-section.ts";
import { profilesSection } from "../../host/side-panel/chat/profiles-section.ts";
import { llmSection } from "../../host/side-panel/settings/llm-section.ts";
import type { SettingsSection } from "../../host/side-panel/transfer/section.ts";

const CONFIG = {
  protocol: "openai-compat",
  baseUrl: "https://llm.example/v1",
  path: "/chat/completions",
  model: "m",
  maxTokens: 100,
};
const PROFILE = { id: "own-1", name: "Mine", rules: "Be short.", inheritGlobalRules: true, skills: [] };
const PROFILES = { agents: [PROFILE], activeAgentId: "own-1", globalRules: "All." };
const AGENT = { id: "analyst", cardUrl: "https://a.example/card.json" };

const refused = (section: SettingsSection, value: unknown) => () => section.apply(value, {}, section.name);

describe("the language model", () => {
  const stored = {
    llmConfig: { ...CONFIG, apiKey: "sk-1" },
    llmKey: "sk-2",
    llmKeyOrigin: "https://llm.example",
  };

  it("goes out without its key", () => {
    expect(llmSection.read(stored)).toEqual(CONFIG);
    expect(llmSection.read({ llmKey: "sk-2" })).toBeUndefined();
  });

  it("keeps its key only where the file names the same server", () => {
    expect(llmSection.apply({ ...CONFIG, model: "other" }, stored, "x").remove).toEqual([]);
    const moved = { ...CONFIG, baseUrl: "https://evil.example/v1" };
    expect(llmSection.apply(moved, stored, "x").remove).toEqual(["llmKey", "llmKeyOrigin"]);
  });

  it.each([
    [{ ...CONFIG, key: "sk" }],
    [{ ...CONFIG, protocol: "other" }],
    [{ ...CONFIG, baseUrl: "javascript:alert(1)" }],
    [{ ...CONFIG, baseUrl: "https://user:pass@llm.example" }],
    [{ ...CONFIG, maxTokens: -1 }],
    [{ ...CONFIG, model: {} }],
    [[]],
    [null],
  ])("refuses %j", (value) => {
    expect(refused(llmSection, value)).toThrow(/^import_/);
  });
});

describe("the agents' profiles", () => {
  it("come back as they went out", () => {
    const change = profilesSection.apply(PROFILES, {}, "x");
    const own = { ...PROFILE, builtIn: false };
    expect(change.set).toEqual({
      agentProfiles: { agents: [own], activeAgentId: "own-1" },
      agentGlobalRules: "All.",
    });
    expect(profilesSection.read(change.set ?? {})).toEqual({ ...PROFILES, agents: [own] });
  });

  it("are none where nothing is stored", () => {
    const empty = { agents: [], activeAgentId: "tool-debug", globalRules: "" };
    expect(profilesSection.read({})).toEqual(empty);
    expect(profilesSection.read({ agentProfiles: 7, agentGlobalRules: [] })).toEqual(empty);
  });

  it.each([
    [{ ...PROFILES, activeAgentId: "nobody" }],
    [{ ...PROFILES, agents: [PROFILE, PROFILE] }],
    [{ ...PROFILES, agents: [{ ...PROFILE, id: "tool-debug" }] }],
    [{ ...PROFILES, agents: [{ ...PROFILE, id: "../x" }] }],
    [{ ...PROFILES, agents: [{ ...PROFILE, llm: { key: "sk" } }] }],
    [{ ...PROFILES, agents: [{ ...PROFILE, llm: { baseUrl: "file:///x" } }] }],
    [{ ...PROFILES, agents: [{ ...PROFILE, skills: [{ name: "n", text: "t", run: "x" }] }] }],
    [{ ...PROFILES, agents: [{ ...PROFILE, rules: "x".repeat(20_001) }] }],
    [{ ...PROFILES, globalRules: 7 }],
    [{ ...PROFILES, more: 1 }],
    [[]],
  ])("refuses %j", (value) => {
    expect(refused(profilesSection, value)).toThrow(/^import_/);
  });
});

describe("remote agents", () => {
  const stored = {
    a2aAgents: [AGENT, { id: "other", cardUrl: "https://b.example/", endpoint: "https://c.example/" }],
    a2aTokens: { analyst: "t-1", other: "t-2" },
  };

  it("go out without their tokens", () => {
    expect(
      JSON.stringify(a2aSection.read({ ...stored, a2aAgents: [{ ...AGENT, token: "t-3" }] })),
    ).not.toMatch(/t-\d/);
    expect(a2aSection.read(stored)).toEqual(stored.a2aAgents);
  });

  it("keep a token only where they go to no new place", () => {
    const tokens = (...agents: unknown[]) => a2aSection.apply(agents, stored, "x").set?.a2aTokens;
    expect(tokens(AGENT)).toEqual({ analyst: "t-1" });
    expect(tokens({ ...AGENT, cardUrl: "https://evil.example/card.json" })).toEqual({});
    expect(tokens({ ...AGENT, endpoint: "https://evil.example/" })).toEqual({});
    expect(tokens({ id: "other", cardUrl: "https://b.example/" })).toEqual({ other: "t-2" });
    expect(tokens({ id: "other", cardUrl: "https://c.example/", endpoint: "https://d.example/" })).toEqual(
      {},
    );
    expect(tokens({ ...AGENT, id: "third" })).toEqual({});
  });

  it.each([
    [[AGENT, AGENT]],
    [[{ ...AGENT, id: "a b" }]],
    [[{ ...AGENT, id: "x".repeat(33) }]],
    [[{ ...AGENT, cardUrl: "javascript:alert(1)" }]],
    [[{ ...AGENT, endpoint: "https://u:p@a.example" }]],
    [[{ ...AGENT, token: "t" }]],
    [Array.from({ length: 51 }, (_, index) => ({ ...AGENT, id: `a${index}` }))],
    [{}],
  ])("refuses %j", (value) => {
    expect(refused(a2aSection, value)).toThrow(/^import_/);
  });
});
