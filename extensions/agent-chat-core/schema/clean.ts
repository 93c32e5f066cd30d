/** A tool's schema as a protocol's server takes it. */
import type { LlmProtocol } from "../llm/config.ts";
import { isRecord, recordsOf } from "../parse.ts";
import { ANTHROPIC_KEYWORDS, OPENAI_KEYWORDS, type Rule } from "./keywords.ts";
import { localTarget } from "./references.ts";

type Schema = Record<string, unknown>;

/** A schema of more is cut: references that branch can make a small one endless. */
const MAX_NODES = 2_000;
const MAX_DEPTH = 24;
/** Both protocols refuse these at the top. */
const NOT_AT_TOP = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else", "default"];

/** Always an object schema with `properties`, without references. Never throws, whatever the schema is. */
export function cleanSchema(original: unknown, protocol: LlmProtocol): Schema {
  const root = isRecord(original) ? original : {};
  const cleaner = new Cleaner(root, protocol);
  return topLevel(cleaner.node(root, []));
}

class Cleaner {
  private nodes = 0;
  private readonly rules: Record<string, Rule>;

  constructor(
    private readonly root: Schema,
    private readonly protocol: LlmProtocol,
  ) {
    this.rules = protocol === "anthropic" ? ANTHROPIC_KEYWORDS : OPENAI_KEYWORDS;
  }

  /** `way`: the references followed down to here. A boolean schema becomes the one that takes everything. */
  node(schema: unknown, way: readonly string[], depth = 0): Schema {
    this.nodes += 1;
    if (!isRecord(schema) || this.nodes > MAX_NODES || depth > MAX_DEPTH) return {};
    if (typeof schema.$ref === "string") return this.followed(schema.$ref, schema, way, depth);
    const result: Schema = {};
    for (const [keyword, value] of Object.entries(this.translated(schema))) {
      const rule = Object.hasOwn(this.rules, keyword) ? this.rules[keyword] : undefined;
      const kept = rule?.(value, (inner) => this.node(inner, way, depth + 1));
      if (kept !== undefined) result[keyword] = kept;
    }
    return completed(result);
  }

  /** The target with what stands beside the reference; a recursive one takes everything. */
  private followed(
    reference: string,
    { $ref: _, ...beside }: Schema,
    way: readonly string[],
    depth: number,
  ): Schema {
    const target = way.includes(reference) ? undefined : localTarget(this.root, reference);
    const merged = isRecord(target) ? { ...target, ...beside } : beside;
    return this.node(merged, [...way, reference], depth + 1);
  }

  /** Older drafts, and for OpenAI's relatives the combinations that they do not know. */
  private translated(schema: Schema): Schema {
    const { items, ...rest } = schema;
    const isTuple = Array.isArray(items);
    if (this.protocol === "anthropic") return isTuple ? { ...rest, prefixItems: items } : schema;
    const flat = mergedAllOf(isTuple ? { ...rest, items: { anyOf: items } } : schema);
    return Array.isArray(flat.oneOf) && flat.anyOf === undefined ? { ...flat, anyOf: flat.oneOf } : flat;
  }
}

/** Parts of `allOf` laid over one another: their members, properties and required names. */
function mergedAllOf(schema: Schema): Schema {
  const parts = recordsOf(schema.allOf);
  if (parts.length === 0) return schema;
  const { allOf: _, ...own } = schema;
  const all = [...parts, own];
  const properties = Object.assign({}, ...all.map((part) => recordOr(part.properties)));
  const required = all.flatMap((part) => listOr(part.required));
  return Object.assign({}, ...all, { properties, required });
}

/** Servers refuse an array without `items`, and a required name that is no property. */
function completed(schema: Schema): Schema {
  if (schema.type === "array" && schema.items === undefined) schema.items = {};
  if (schema.type === "object" && schema.properties === undefined) schema.properties = {};
  const { properties, required } = schema;
  if (Array.isArray(required) && isRecord(properties)) {
    schema.required = required.filter((name) => Object.hasOwn(properties, String(name)));
  }
  return schema;
}

/** An object schema; where the original is a choice, the properties of all branches are there to choose from. */
function topLevel(schema: Schema): Schema {
  const branches = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => recordsOf(schema[keyword]));
  const inBranches = branches.map((branch) => recordOr(branch.properties));
  const properties = Object.assign({}, ...inBranches.reverse(), recordOr(schema.properties));
  const kept = Object.entries(schema).filter(([keyword]) => !NOT_AT_TOP.includes(keyword));
  return { ...Object.fromEntries(kept), type: "object", properties };
}

function recordOr(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

function listOr(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
