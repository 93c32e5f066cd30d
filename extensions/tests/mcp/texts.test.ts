import { describe, expect, it } from "vitest";
import { NAME_RULES } from "../../contract/lumo-names.ts";
import { HOST_ERROR_TEXTS, INVALID_ID } from "../../contract/lumo-state.ts";
import english from "../../host/_locales/en/providers.json";
import chinese from "../../host/_locales/zh_CN/providers.json";
import { parseIds, parseOwners } from "../../host/mcp/provider-store.ts";
import { splitIds } from "../../host/side-panel/provider-text.ts";

type Messages = Record<string, { message: string }>;
const shown = (key: string) => (english as Messages)[key]?.message.replaceAll("$$", "$");

describe("the panel's texts", () => {
  it("are the protocol's, word for word", () => {
    const states = { ...HOST_ERROR_TEXTS, invalid_id: INVALID_ID.text };
    for (const [code, text] of Object.entries(states)) expect(shown(`provider_${code}`)).toBe(text);
    for (const [rule, text] of Object.entries(NAME_RULES)) expect(shown(`rule_${rule}`)).toBe(text);
  });

  it("are there in both languages", () => {
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
  });
});

describe("ids", () => {
  it("are split wherever people separate them", () => {
    expect(splitIds(" aa, bb;cc\n\tdd ")).toEqual(["aa", "bb", "cc", "dd"]);
    expect(splitIds("  ")).toEqual([]);
  });

  it("are kept as stored, once each, to be shown where they are none", () => {
    expect(parseIds(["a", "b", "a", 7, null, { x: 1 }])).toEqual(["a", "b", "7", "null", '{"x":1}']);
    expect(parseIds("a")).toEqual([]);
  });

  it("own no namespace where they are none", () => {
    const id = "a".repeat(32);
    expect([...parseOwners({ notes: id, forged: "x" })]).toEqual([["notes", id]]);
    expect(parseOwners(undefined).size).toBe(0);
  });
});
