import { describe, expect, it } from "vitest";
import { ChainFailure } from "../../contract/errors.ts";
import { extentOf, guardSchema, isAffordable } from "../../contract/schema-guard.ts";
import { checkSchema, checkSize } from "../../host/content-script/validate-args.ts";

const tool = (inputSchema: Record<string, unknown>) => ({ name: "t", inputSchema });

function codeOf(work: () => void): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ChainFailure) return error.error.code;
    throw error;
  }
  return undefined;
}

describe("isAffordable", () => {
  it.each([
    "^SO-\\d{4}$",
    "^[a-z0-9._-]+@[a-z0-9.-]+$",
    "^(?:a|b)$",
    "\\(.*\\)",
    "[+*(]+",
    "^\\d{4}-\\d{2}-\\d{2}T",
  ])("%s is, on text of ordinary length", (pattern) => {
    expect(isAffordable(pattern, 100)).toBe(true);
  });

  it.each(["(a+)+", "(a|a)*", "((a*)b)*", "(a*)*", "(?:x+x+)+y", "(.)\\1+", "(a{2,}){3,}"])(
    "%s never is: it can take exponential time",
    (pattern) => {
      expect(isAffordable(pattern, 30)).toBe(false);
    },
  );

  it("weighs repetitions in a row against the length of the text", () => {
    expect(isAffordable("a*b*c*", 100)).toBe(true);
    expect(isAffordable("a*b*c*", 10_000)).toBe(false);
  });
});

describe("guardSchema", () => {
  it("leaves an ordinary schema as it is", () => {
    const schema = {
      type: "object",
      properties: { $ref: { type: "string" }, a: { $ref: "#/$defs/a", pattern: "^a$" } },
      $defs: { a: { enum: [1, { b: [true] }] } },
    };
    expect(JSON.parse(JSON.stringify(guardSchema(schema, extentOf({}))))).toEqual(schema);
  });

  it("measures the arguments", () => {
    expect(extentOf({ a: ["xyz", { long_key: 1 }], b: [1, 2, 3] })).toEqual({
      values: 9,
      text: 8,
      items: 3,
    });
  });
});

describe("checkSchema", () => {
  it("follows references", () => {
    const list = {
      type: "object",
      properties: { next: { $ref: "#" }, v: { type: "number" } },
      required: ["v"],
    };
    expect(codeOf(() => checkSchema(tool(list), { v: 1, next: { v: 2 } }))).toBeUndefined();
    expect(codeOf(() => checkSchema(tool(list), { v: 1, next: { v: "2" } }))).toBe("invalid_args");
  });

  it("checks a property that is called $ref", () => {
    const schema = { type: "object", properties: { $ref: { type: "string" } } };
    expect(codeOf(() => checkSchema(tool(schema), { $ref: "x" }))).toBeUndefined();
    expect(codeOf(() => checkSchema(tool(schema), { $ref: 1 }))).toBe("invalid_args");
  });

  it("gives up on a schema that branches without end", () => {
    const defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        { allOf: Array(2).fill({ $ref: `#/$defs/d${n + 1}` }) },
      ]),
    );
    const schema = { type: "object", $ref: "#/$defs/d0", $defs: { ...defs, d40: { type: "object" } } };
    expect(codeOf(() => checkSchema(tool(schema), {}))).toBe("too_large");
  });

  it("gives up on a schema that is its own reference", () => {
    expect(codeOf(() => checkSchema(tool({ type: "object", $ref: "#" }), {}))).toBe("too_large");
  });

  it("leaves a pattern that backtracks to the page", () => {
    const schema = { type: "object", properties: { v: { type: "string", pattern: "^(a+)+$" } } };
    expect(codeOf(() => checkSchema(tool(schema), { v: `${"a".repeat(60)}!` }))).toBeUndefined();
  });

  it("says so where the schema itself is broken", () => {
    const schema = { type: "object", properties: { v: { $ref: "#/nowhere" } } };
    expect(codeOf(() => checkSchema(tool(schema), { v: 1 }))).toBe("invalid_args");
  });
});

describe("checkSize", () => {
  it("wants an object within the bound", () => {
    expect(codeOf(() => checkSize("t", []))).toBe("invalid_args");
    expect(codeOf(() => checkSize("t", { v: "x".repeat(1_000_000) }))).toBe("too_large");
    expect(codeOf(() => checkSize("t", { v: "x" }))).toBeUndefined();
  });
});
