/**
 * Which keywords of a tool's schema a protocol takes, and in which shape. What is not in a table is left out: that only
 * widens what the model may write, and the original schema still validates it.
 */
import { isOneOf, isRecord } from "../parse.ts";

/** Cleans a schema within a schema. */
export type Sub = (schema: unknown) => Record<string, unknown>;
/** The keyword's value as it is sent, or `undefined` where it cannot be. */
export type Rule = (value: unknown, sub: Sub) => unknown;

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
const FORMATS = ["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"];

const text: Rule = (value) => (typeof value === "string" ? value : undefined);
const flag: Rule = (value) => (typeof value === "boolean" ? value : undefined);
const number: Rule = (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const count: Rule = (value) => (Number.isInteger(value) && Number(value) >= 0 ? value : undefined);
const json: Rule = (value) => value;
const isSchema = (value: unknown) => isRecord(value) || typeof value === "boolean";
const schema: Rule = (value, sub) => (isSchema(value) ? sub(value) : undefined);
const schemas: Rule = (value, sub) => (Array.isArray(value) && value.length > 0 ? value.map(sub) : undefined);
const choices: Rule = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);
const open: Rule = (value, sub) => (typeof value === "boolean" ? value : schema(value, sub));
const names: Rule = (value) =>
  Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === "string"))] : undefined;

const type: Rule = (value) => {
  const listed = [value].flat().filter((name) => isOneOf(TYPES, name));
  return listed.length > 1 ? [...new Set(listed)] : listed[0];
};

const pattern: Rule = (value) => {
  try {
    return typeof value === "string" && new RegExp(value, "u") ? value : undefined;
  } catch {
    return undefined;
  }
};

function mapOf(isKey: (key: string) => boolean): Rule {
  return (value, sub) => {
    if (!isRecord(value)) return undefined;
    const kept = Object.entries(value).filter(([key]) => isKey(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, sub(inner)]));
  };
}

/** Every protocol takes these. */
const SHARED: Record<string, Rule> = {
  title: text,
  description: text,
  type,
  enum: choices,
  const: json,
  default: json,
  properties: mapOf(() => true),
  required: names,
  items: schema,
  additionalProperties: open,
  anyOf: schemas,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  pattern,
  format: (value) => (isOneOf(FORMATS, value) ? value : undefined),
};

/** Servers of `openai-compat` differ: this is what they have in common. */
export const OPENAI_KEYWORDS = SHARED;

/** Anthropic takes JSON Schema 2020-12, but property names of one form only. */
export const ANTHROPIC_KEYWORDS: Record<string, Rule> = {
  ...SHARED,
  properties: mapOf((key) => /^[a-zA-Z0-9_.-]{1,64}$/.test(key)),
  oneOf: schemas,
  allOf: schemas,
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not a promise
  then: schema,
  else: schema,
  prefixItems: schemas,
  contains: schema,
  patternProperties: mapOf((key) => pattern(key, () => ({})) !== undefined),
  propertyNames: schema,
  minProperties: count,
  maxProperties: count,
};
