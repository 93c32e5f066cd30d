/** What stands in a form while it is filled in, and the way from there to JSON and back. */
import type { Field, GroupField } from "./schema-field.ts";

/**
 * Of a text, number and JSON field the typed text; of a choice the place of the chosen value as text, `""` for none;
 * of a flag `"true"`, `"false"` or `""`. `undefined`: an optional list or group that is not given.
 */
export type Draft = string | Draft[] | { [member: string]: Draft } | undefined;
export type GroupDraft = { [member: string]: Draft };

/** `field_required` · `field_not_a_number` · `field_not_whole` · `field_not_json` */
export type ProblemCode = "field_required" | "field_not_a_number" | "field_not_whole" | "field_not_json";

/** The field, as `a.b.0`, and why what stands in it cannot be sent. */
export interface Problem {
  path: string;
  code: ProblemCode;
}

export type Reading =
  | { ok: true; args: Record<string, unknown> }
  | { ok: false; problems: Problem[]; args: Record<string, unknown> };

/** A value for which the field has no place. */
const UNFIT = Symbol("unfit");
type Unfit = typeof UNFIT;

export function pathOf(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

/** A form as it is before anybody typed: presets, the first item of nothing, groups that are required. */
export function emptyDraft(field: Field): Draft {
  if (field.preset !== undefined) {
    const preset = draftOf(field, field.preset);
    if (preset !== UNFIT) return preset;
  }
  switch (field.kind) {
    case "group":
      return field.required ? emptyGroup(field) : undefined;
    case "list":
      return field.required ? [] : undefined;
    case "flag":
      return field.required ? "false" : "";
    case "choice":
      return field.required && field.choices.length === 1 ? "0" : "";
    default:
      return "";
  }
}

export function emptyGroup(field: GroupField): GroupDraft {
  return Object.fromEntries(field.members.map((member) => [member.name, emptyDraft(member)]));
}

/** The arguments that a form stands for; what cannot be sent is left out of `args` and told. */
export function readDraft(field: GroupField, draft: GroupDraft): Reading {
  const problems: Problem[] = [];
  const args = readGroup(field, draft, "", problems);
  return problems.length === 0 ? { ok: true, args } : { ok: false, problems, args };
}

function readGroup(field: GroupField, draft: GroupDraft, path: string, problems: Problem[]) {
  const entries: [string, unknown][] = [];
  for (const member of field.members) {
    const value = read(member, draft[member.name], pathOf(path, member.name), problems);
    if (value !== undefined) entries.push([member.name, value]);
  }
  // Not by assignment: a member may be called `__proto__`.
  return Object.fromEntries(entries);
}

function read(field: Field, draft: Draft, path: string, problems: Problem[]): unknown {
  if (field.kind === "group") {
    return isGroup(draft) ? readGroup(field, draft, path, problems) : undefined;
  }
  if (field.kind === "list") {
    if (!Array.isArray(draft)) return undefined;
    return draft.map((item, place) => read(field.item(place), item, pathOf(path, String(place)), problems));
  }
  const text = typeof draft === "string" ? draft : "";
  if (text === "" && !(field.kind === "text" && field.required)) {
    if (field.required) problems.push({ path, code: "field_required" });
    return undefined;
  }
  const value = readText(field, text);
  if (!isProblem(value)) return value.value;
  problems.push({ path, code: value.code });
  return undefined;
}

type Leaf = Exclude<Field, { kind: "group" } | { kind: "list" }>;

function readText(field: Leaf, text: string): { value: unknown } | { code: ProblemCode } {
  switch (field.kind) {
    case "text":
      return { value: text };
    case "flag":
      return { value: text === "true" };
    case "choice":
      return { value: field.choices[Number(text)]?.value };
    case "number":
      return readNumber(text, field.whole);
    case "json":
      return readJson(text);
  }
}

function isProblem(value: { value: unknown } | { code: ProblemCode }): value is { code: ProblemCode } {
  return "code" in value;
}

function readNumber(text: string, whole: boolean): { value: number } | { code: ProblemCode } {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return { code: "field_not_a_number" };
  return whole && !Number.isInteger(value) ? { code: "field_not_whole" } : { value };
}

function readJson(text: string): { value: unknown } | { code: ProblemCode } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { code: "field_not_json" };
  }
}

/** A form that stands for these arguments; `undefined` where the form has no place for some of it. */
export function draftFor(field: GroupField, args: Record<string, unknown>): GroupDraft | undefined {
  const draft = draftOf(field, args);
  return isGroup(draft) ? draft : undefined;
}

function isGroup(draft: Draft | Unfit): draft is GroupDraft {
  return typeof draft === "object" && !Array.isArray(draft);
}

function draftOf(field: Field, value: unknown): Draft | Unfit {
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? value : UNFIT;
    case "flag":
      return typeof value === "boolean" ? String(value) : UNFIT;
    case "number":
      return typeof value === "number" ? String(value) : UNFIT;
    case "choice":
      return placeOf(field.choices, value);
    case "json":
      return JSON.stringify(value) ?? UNFIT;
    case "list":
      return Array.isArray(value) ? listDraft(field, value) : UNFIT;
    case "group":
      return groupDraft(field, value);
  }
}

function placeOf(choices: readonly { value: unknown }[], value: unknown): string | Unfit {
  const wanted = JSON.stringify(value);
  const place = choices.findIndex((choice) => JSON.stringify(choice.value) === wanted);
  return place < 0 ? UNFIT : String(place);
}

function listDraft(field: Extract<Field, { kind: "list" }>, value: unknown[]): Draft | Unfit {
  const items = value.map((item, place) => draftOf(field.item(place), item));
  return items.every(isFit) ? items : UNFIT;
}

function groupDraft(field: GroupField, value: unknown): Draft | Unfit {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return UNFIT;
  const given = new Map(Object.entries(value));
  if ([...given.keys()].some((name) => !field.members.some((member) => member.name === name))) return UNFIT;
  const entries = field.members.map((member) => {
    const draft = given.has(member.name) ? draftOf(member, given.get(member.name)) : absent(member);
    return [member.name, draft] as const;
  });
  return entries.every(([, draft]) => isFit(draft)) ? Object.fromEntries(entries as Fit[]) : UNFIT;
}

type Fit = readonly [string, Draft];

function isFit(draft: Draft | Unfit): draft is Draft {
  return draft !== UNFIT;
}

/** Not given in the arguments: no preset comes in its place. */
function absent(field: Field): Draft {
  if (field.kind === "group") return field.required ? emptyGroup(field) : undefined;
  return field.kind === "list" ? undefined : "";
}
