import { describe, expect, it } from "vitest";
import { ERROR_META } from "../../contract/errors.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { argumentSkeleton, parseArguments } from "../../host/side-panel/arguments.ts";
import { errorOf, textOf } from "../../host/side-panel/result-text.ts";
import { nameTools, route } from "../../host/side-panel/tool-catalogue.ts";

function tool(name: string, inputSchema: Record<string, unknown> = { type: "object" }): PageTool {
  return { name, inputSchema };
}

describe("typed arguments", () => {
  it.each([
    ["", { ok: true, args: {} }],
    [" \n", { ok: true, args: {} }],
    ['{"a":1}', { ok: true, args: { a: 1 } }],
    ["[1]", { ok: false, problem: "" }],
    ["null", { ok: false, problem: "" }],
  ])("%j", (text, expected) => {
    expect(parseArguments(text)).toEqual(expected);
  });

  it("say the parser's word about broken JSON", () => {
    const parsed = parseArguments("{");
    expect(parsed.ok ? "" : parsed.problem).toMatch(/JSON/);
  });

  it("start from the required members", () => {
    const schema = {
      type: "object",
      required: ["text", "n", "kind", "preset", "odd", "undeclared"],
      properties: {
        text: { type: "string" },
        n: { type: "integer" },
        kind: { enum: ["first", "second"] },
        preset: { type: "number", default: 7 },
        odd: { type: ["string", "null"] },
        optional: { type: "string" },
      },
    };
    expect(JSON.parse(argumentSkeleton(tool("t", schema)))).toEqual({
      text: "",
      n: 0,
      kind: "first",
      preset: 7,
      odd: null,
      undeclared: null,
    });
    expect(argumentSkeleton(tool("t"))).toBe("{}");
  });
});

describe("a result as text", () => {
  it("is its text blocks, and others as JSON", () => {
    const result = { content: [{ type: "text", text: "<b>one</b>" }, { type: "image", data: "x" }, 7] };
    expect(textOf(result)).toBe('<b>one</b>\n{\n  "type": "image",\n  "data": "x"\n}\n7');
  });

  it("names the chain's errors and no invented ones", () => {
    const error = (meta: unknown) => errorOf({ content: [], isError: true, _meta: { [ERROR_META]: meta } });
    expect(error({ code: "timeout", executed: "unknown" })).toEqual({ code: "timeout", executed: "unknown" });
    expect(error({ code: "timeout" })).toEqual({ code: "timeout", executed: "unknown" });
    expect(error({ code: "invented", executed: "no" })).toBeUndefined();
    expect(errorOf({ content: [] })).toBeUndefined();
  });
});

describe("names of page tools", () => {
  it("are distinct even where a page forges another name's hash", async () => {
    const [first] = await nameTools(7, [tool("a.b")]);
    const forged = first!.publicName.replace("tab7__", "");
    const both = await nameTools(7, [tool("a.b"), tool(forged)]);
    expect(new Set(both.map((one) => one.publicName)).size).toBe(2);
    expect(route([both], both[1]!.publicName)?.tool.name).toBe(forged);
  });

  it("lead nowhere when unknown", async () => {
    expect(route([await nameTools(7, [tool("a")])], "tab8__a")).toBeUndefined();
  });
});
