/** Schemas as each protocol's server takes them; the original validates. */
import { describe, expect, it } from "vitest";
import { cleanSchema } from "../../agent-chat-core/schema/clean.ts";
import { argumentProblem } from "../../agent-chat-core/tools/arguments.ts";
import { callsOf, openBench, PROTOCOLS, scriptedTool, textResult } from "./support/chat.ts";

type Schema = Record<string, unknown>;

describe.each(PROTOCOLS)("%s", (protocol) => {
  const clean = (schema: unknown) => cleanSchema(schema, protocol);
  const property = (schema: unknown) => (clean({ properties: { p: schema } }).properties as Schema).p;

  it.each([undefined, null, true, 7, "x", [], {}])("makes an object schema of %j", (schema) => {
    expect(clean(schema)).toEqual({ type: "object", properties: {} });
  });

  it("leaves an ordinary schema as it is", () => {
    const schema = {
      type: "object",
      properties: {
        id: { type: "integer", minimum: 1, description: "the order's number" },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 },
        when: { type: "string", format: "date" },
        note: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
      },
      required: ["id"],
      additionalProperties: false,
    };
    expect(clean(schema)).toEqual(schema);
  });

  it.each([
    ["a choice at the top", "anyOf"],
    ["one of several at the top", "oneOf"],
    ["parts at the top", "allOf"],
  ])("offers all properties of %s", (_what, keyword) => {
    const branches = [
      { properties: { by: { type: "string" } }, required: ["by"] },
      { properties: { id: { type: "integer" }, own: { type: "null" } } },
    ];
    const cleaned = clean({ type: "object", properties: { own: { type: "string" } }, [keyword]: branches });
    expect(cleaned).toMatchObject({
      type: "object",
      properties: { own: { type: "string" }, by: { type: "string" }, id: { type: "integer" } },
    });
    for (const word of ["anyOf", "oneOf", "allOf", "not", "enum"]) expect(cleaned).not.toHaveProperty(word);
  });

  it("puts local references in place, and a recursive one becomes anything", () => {
    const schema = {
      type: "object",
      properties: {
        root: { $ref: "#/$defs/node", description: "the root" },
        odd: { $ref: "#/definitions/a~1b" },
      },
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
      definitions: { "a/b": { type: "number" } },
    };
    expect(clean(schema)).toEqual({
      type: "object",
      properties: {
        root: { type: "object", description: "the root", properties: { next: {} } },
        odd: { type: "number" },
      },
    });
  });

  it.each([
    ["a remote reference", { $ref: "https://evil.example/x.json", type: "string" }, { type: "string" }],
    ["a pointer to nothing", { $ref: "#/$defs/gone" }, {}],
    ["a pointer to a prototype", { $ref: "#/__proto__" }, {}],
    ["a boolean schema", true, {}],
    ["an unknown type", { type: "any" }, {}],
    ["an array without items", { type: "array" }, { type: "array", items: {} }],
    ["an object without properties", { type: "object" }, { type: "object", properties: {} }],
    ["limits of draft 4", { minimum: 1, exclusiveMinimum: true }, { minimum: 1 }],
    ["required of draft 3", { type: "string", required: true }, { type: "string" }],
    ["a pattern of another engine", { type: "string", pattern: "(?<=a)(?P<n>b" }, { type: "string" }],
    ["an empty choice", { enum: [] }, {}],
    ["an unknown format", { type: "string", format: "iban" }, { type: "string" }],
    [
      "keywords of others",
      { type: "string", "x-order": 1, $comment: "c", readOnly: true, nullable: true },
      { type: "string" },
    ],
    [
      "a required name that is no property",
      { type: "object", properties: {}, required: ["x"] },
      { type: "object", properties: {}, required: [] },
    ],
  ])("mends %s", (_what, schema, expected) => {
    expect(property(schema)).toEqual(expected);
  });

  it("is bounded on a schema whose references branch without end", () => {
    const level = (n: number) => ({
      anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/l${n + 1}` })),
    });
    const $defs = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`l${n}`, level(n)]));
    const cleaned = clean({ properties: { p: { $ref: "#/$defs/l0" } }, $defs });
    expect(JSON.stringify(cleaned).length).toBeLessThan(100_000);
  });

  it("is bounded in depth", () => {
    let schema: Schema = { type: "string" };
    for (let n = 0; n < 3_000; n++) schema = { type: "array", items: schema };
    expect(() => JSON.stringify(property(schema))).not.toThrow();
  });

  it("does not pollute a prototype", () => {
    clean(JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}'));
    expect(({} as { type?: string }).type).toBeUndefined();
  });

  it("sends the cleaned schema, and checks arguments by the original", async () => {
    const inputSchema = {
      type: "object",
      properties: { n: { type: "integer", not: { const: 13 } } },
      anyOf: [{ required: ["n"] }],
    };
    const tool = scriptedTool("tab1__n", async () => textResult("ran"), { inputSchema });
    const calls = [
      { name: "tab1__n", args: {} },
      { name: "tab1__n", args: { n: 13 } },
      { name: "tab1__n", args: { n: 1 } },
    ];
    const { chat, model } = await openBench({
      protocol,
      script: [{ calls }, { text: ["ok"] }],
      tools: [tool],
    });
    await chat.send("go");
    expect(JSON.stringify(model.requests[0]?.body.tools)).not.toContain("anyOf");
    expect(callsOf(chat).map(({ status }) => status)).toEqual(["refused", "refused", "done"]);
  });
});

describe("differences", () => {
  it("Anthropic takes property names of one form only", () => {
    const schema = {
      properties: { größe: { type: "number" }, "a.b-c_1": {}, $top: {} },
      required: ["größe", "a.b-c_1"],
    };
    expect(cleanSchema(schema, "anthropic")).toEqual({
      type: "object",
      properties: { "a.b-c_1": {} },
      required: ["a.b-c_1"],
    });
    expect(Object.keys(cleanSchema(schema, "openai-compat").properties as Schema)).toHaveLength(3);
  });

  it("combinations stay for Anthropic, and are merged for OpenAI's relatives", () => {
    const schema = {
      properties: {
        all: {
          allOf: [
            { type: "object", properties: { a: {} }, required: ["a"] },
            { properties: { b: {} }, required: ["b"] },
          ],
        },
        one: { oneOf: [{ type: "string" }, { type: "number" }] },
        pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
      },
    };
    expect(cleanSchema(schema, "openai-compat").properties).toEqual({
      all: { type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] },
      one: { anyOf: [{ type: "string" }, { type: "number" }] },
      pair: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    });
    expect(cleanSchema(schema, "anthropic").properties).toMatchObject({
      all: { allOf: [{ required: ["a"] }, { required: ["b"] }] },
      one: { oneOf: [{ type: "string" }, { type: "number" }] },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    });
  });
});

describe("arguments", () => {
  it("against a broken schema are the tool's to judge", () => {
    expect(argumentProblem({ $ref: "#/gone" }, {})).toBeUndefined();
  });

  it("against a pattern that would take for ever are checked in bounded time", () => {
    const schema = { properties: { p: { type: "string", pattern: "^(a+)+$" } } };
    expect(argumentProblem(schema, { p: `${"a".repeat(40)}!` })).toBeUndefined();
  });

  it("against references that branch without end are refused", () => {
    const level = (n: number) => ({
      allOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/l${n + 1}` })),
    });
    const $defs = { ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`l${n}`, level(n)])), l9: {} };
    expect(argumentProblem({ $ref: "#/$defs/l0", $defs }, {})).toMatch(/too many steps/);
  });
});
