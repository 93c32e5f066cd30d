import { describe, expect, it } from "vitest";
import { draftFor, emptyGroup, type GroupDraft, readDraft } from "../../host/side-panel/tools/draft.ts";
import { type Field, fieldsOf, type GroupField } from "../../host/side-panel/tools/schema-field.ts";

function form(properties: Record<string, unknown>, required: string[] = []): GroupField {
  const fields = fieldsOf({ type: "object", properties, required });
  if (!fields) throw new Error("the schema makes no form");
  return fields;
}

function kinds(properties: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(form(properties).members.map((field) => [field.name, field.kind]));
}

function read(fields: GroupField, changes: GroupDraft) {
  return readDraft(fields, { ...emptyGroup(fields), ...changes });
}

describe("the fields of a schema", () => {
  it("are what its types ask for", () => {
    const properties = {
      text: { type: "string" },
      count: { type: "integer" },
      share: { type: ["number", "null"] },
      on: { type: "boolean" },
      colour: { enum: ["red", 7, null] },
      fixed: { const: "only" },
      titled: { oneOf: [{ const: 1, title: "One" }] },
      rows: { type: "array", items: { type: "string" } },
      inner: { type: "object", properties: { a: { type: "string" } } },
    };
    expect(kinds(properties)).toEqual({
      text: "text",
      count: "number",
      share: "number",
      on: "flag",
      colour: "choice",
      fixed: "choice",
      titled: "choice",
      rows: "list",
      inner: "group",
    });
  });

  it("are typed as JSON where no control fits", () => {
    const odd = {
      any: {},
      mixed: { type: ["string", "number"] },
      open: { type: "object" },
      tuple: { type: "array" },
      lie: { type: 7, enum: "no" },
      nothing: null,
      union: { anyOf: [{ type: "string" }, { type: "number" }] },
    };
    expect(new Set(Object.values(kinds(odd)))).toEqual(new Set(["json"]));
  });

  it("follow references within the schema, and no circle for ever", () => {
    const fields = fieldsOf({
      type: "object",
      properties: {
        tree: { $ref: "#/$defs/node" },
        lost: { $ref: "#/$defs/none" },
        away: { $ref: "https://x/y" },
      },
      $defs: {
        node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } },
        loop: { $ref: "#/$defs/loop" },
      },
    });
    const depth = (field: Field): number =>
      field.kind === "group" ? 1 + Math.max(...field.members.map(depth)) : 0;
    expect(fields?.members.map(({ kind }) => kind)).toEqual(["group", "json", "json"]);
    expect(depth(fields!)).toBeLessThan(10);
  });

  it("are none where a form would help nobody", () => {
    expect(fieldsOf({ type: "object" })).toBeUndefined();
    expect(fieldsOf({})).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`m${n}`, {}]));
    expect(fieldsOf({ type: "object", properties: many })).toBeUndefined();
  });
});

describe("a form that is read", () => {
  it("gives the typed values and leaves out what is not given", () => {
    const fields = form(
      {
        text: { type: "string" },
        unused: { type: "string" },
        count: { type: "integer" },
        on: { type: "boolean" },
        colour: { enum: ["red", 7] },
        json: {},
        rows: { type: "array", items: { type: "number" } },
        inner: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
        absent: { type: "object", properties: { a: { type: "string" } } },
      },
      ["text", "on"],
    );
    const draft = { count: "3", colour: "1", json: "[null]", rows: ["1.5", "-2"], inner: { a: "x", b: "" } };
    expect(read(fields, draft)).toEqual({
      ok: true,
      args: { text: "", count: 3, on: false, colour: 7, json: [null], rows: [1.5, -2], inner: { a: "x" } },
    });
  });

  it("names each field that cannot be sent", () => {
    const properties = {
      n: { type: "number" },
      whole: { type: "integer" },
      json: {},
      colour: { enum: ["a", "b"] },
      list: {
        type: "array",
        items: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      },
    };
    const draft = { n: "1,5", whole: "1.5", json: "{", list: [{ n: "1" }, { n: "" }] };
    expect(read(form(properties, ["colour"]), draft)).toMatchObject({
      ok: false,
      problems: [
        { path: "n", code: "field_not_a_number" },
        { path: "whole", code: "field_not_whole" },
        { path: "json", code: "field_not_json" },
        { path: "colour", code: "field_required" },
        { path: "list.1.n", code: "field_required" },
      ],
    });
  });

  it("begins with the schema's presets, as far as they fit", () => {
    const fields = form({ a: { type: "string", default: "x" }, n: { type: "number", default: "wrong" } });
    expect(readDraft(fields, emptyGroup(fields))).toEqual({ ok: true, args: { a: "x" } });
  });

  it("takes a member that is called like a part of every object", () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}');
    const fields = form(properties, ["__proto__", "constructor"]);
    const reading = readDraft(fields, emptyGroup(fields));
    expect(JSON.stringify(reading.args)).toBe('{"__proto__":"","constructor":""}');
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });
});

describe("a form that is filled from JSON", () => {
  const fields = form({
    text: { type: "string", default: "preset" },
    rows: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
    colour: { enum: ["unfit", "b"] },
  });

  it.each([{ text: "unfit", rows: [{ n: 1 }, {}], colour: "unfit" }, {}, { rows: [] }])(
    "gives back %j",
    (args) => {
      expect(readDraft(fields, draftFor(fields, args)!)).toEqual({ ok: true, args });
    },
  );

  it.each([{ other: 1 }, { text: 7 }, { rows: {} }, { rows: [{ n: "1" }] }, { colour: "c" }])(
    "has no place for %j",
    (args) => {
      expect(draftFor(fields, args)).toBeUndefined();
    },
  );
});
