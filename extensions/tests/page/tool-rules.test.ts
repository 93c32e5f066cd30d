import { describe, expect, it } from "vitest";
import { jsonBytes, LIMITS, RESERVED_PREFIXES } from "../../contract/limits.ts";
import { sortOut } from "../../host/content-script/tool-rules.ts";

const tool = (name: unknown, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

describe("sortOut", () => {
  it("takes a plain tool, and only the members of the contract", () => {
    const { tools, rejected } = sortOut([tool("a", { title: "A", execute: "no", icons: [] })]);
    expect(tools).toEqual([{ name: "a", title: "A", inputSchema: { type: "object" } }]);
    expect(rejected).toEqual([]);
  });

  it.each([
    ["no object", 7],
    ["no name", tool(undefined)],
    ["an empty name", tool("")],
    ["a long name", tool("x".repeat(257))],
    ["a title that is no text", tool("a", { title: 7 })],
    ["a description that is no text", tool("a", { description: {} })],
    ["no schema", { name: "a" }],
    ["a schema of another type", tool("a", { inputSchema: { type: "string" } })],
    ["annotations that are no object", tool("a", { annotations: "yes" })],
    ["an output schema that is none", tool("a", { outputSchema: [] })],
    ["a schema too deep", tool("a", { inputSchema: deep(70) })],
    ["a schema like an abyss", tool("a", { inputSchema: { type: "object", enum: abyss(30_000) } })],
  ])("rejects %s by name and rule", (_, entry) => {
    const { tools, rejected } = sortOut([entry, tool("good")]);
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
    expect(rejected).toHaveLength(1);
    expect(rejected[0]?.rule).not.toBe("");
  });

  it.each(RESERVED_PREFIXES)("rejects names that start with %s", (prefix) => {
    expect(sortOut([tool(`${prefix}x`)]).rejected[0]?.rule).toContain(prefix);
  });

  it("counts bytes of UTF-8, to the byte", () => {
    const fits = "ü".repeat((LIMITS.description - 2) / 2);
    expect(jsonBytes(fits)).toBe(LIMITS.description);
    expect(sortOut([tool("a", { description: fits })]).tools).toHaveLength(1);
    expect(sortOut([tool("a", { description: `${fits}.` })]).rejected[0]?.rule).toMatch(/^too_large/);
  });

  it("keeps the first of a name", () => {
    const { tools, rejected } = sortOut([tool("a", { title: "1" }), tool("a", { title: "2" })]);
    expect(tools.map(({ title }) => title)).toEqual(["1"]);
    expect(rejected).toHaveLength(1);
  });

  it("takes at most so many tools and names as many rejections", () => {
    const many = Array.from({ length: 3 * LIMITS.tools }, (_, n) => tool(`t${n}`));
    const { tools, rejected } = sortOut(many);
    expect(tools).toHaveLength(LIMITS.tools);
    expect(rejected).toHaveLength(LIMITS.tools);
  });
});

function deep(levels: number): object {
  return levels === 0 ? { type: "object" } : { type: "object", properties: { a: deep(levels - 1) } };
}

/** Lists in lists, so deep that looking at the bottom would end the stack. */
function abyss(levels: number): unknown[] {
  let inner: unknown[] = [];
  for (let level = 0; level < levels; level++) inner = [inner];
  return inner;
}
