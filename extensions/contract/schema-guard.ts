/**
 * A tool's schema in a form that is checked in bounded time. The engine (`@cfworker/json-schema`) has no limits of its
 * own, and three things of a schema can keep it busy for hours: references that branch again and again, patterns that
 * backtrack, and `uniqueItems`, which compares every pair.
 */
import { isRecord } from "./lumo.ts";

/** Visits of schema nodes in one validation: so many in any case, and so many more for each value in the arguments. */
const BASE_VISITS = 20_000;
const VISITS_PER_VALUE = 20;
/** Steps that a pattern may need by estimate. */
const MAX_PATTERN_STEPS = 1e7;
/** Text up to which the engine's own patterns of `format` are trusted. */
const MAX_FORMAT_TEXT = 10_000;
/** Items up to which every pair may be compared. */
const MAX_UNIQUE_ITEMS = 1_000;

export class TooCostly extends Error {}

/** What some arguments can cost: how many values they have, the longest text, the longest array. */
export interface Extent {
  values: number;
  text: number;
  items: number;
}

export function extentOf(value: unknown): Extent {
  const extent = { values: 1, text: typeof value === "string" ? value.length : 0, items: 0 };
  if (typeof value !== "object" || value === null) return extent;
  if (Array.isArray(value)) extent.items = value.length;
  for (const [key, member] of Object.entries(value)) {
    const inner = extentOf(member);
    extent.values += inner.values;
    extent.text = Math.max(extent.text, key.length, inner.text);
    extent.items = Math.max(extent.items, inner.items);
  }
  return extent;
}

/**
 * A copy that throws TooCostly from within the engine when the visits are used up, without the patterns, formats and
 * `uniqueItems` that would cost too much on arguments of this extent. The page checks those itself.
 */
export function guardSchema(schema: Record<string, unknown>, extent: Extent): Record<string, unknown> {
  const budget = { visits: BASE_VISITS + VISITS_PER_VALUE * extent.values };
  return guardNode(schema, extent, budget) as Record<string, unknown>;
}

function guardNode(node: unknown, extent: Extent, budget: { visits: number }): unknown {
  if (Array.isArray(node)) return node.map((item) => guardNode(item, extent, budget));
  if (!isRecord(node)) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    const kept = guardMember(key, value, extent);
    if (kept !== undefined) define(copy, key, guardNode(kept, extent, budget));
  }
  countVisits(copy, budget);
  return copy;
}

/** `__proto__` may be a property's name like any other. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function guardMember(key: string, value: unknown, extent: Extent): unknown {
  if (key === "pattern" && typeof value === "string")
    return isAffordable(value, extent.text) ? value : undefined;
  if (key === "format" && typeof value === "string")
    return extent.text <= MAX_FORMAT_TEXT ? value : undefined;
  if (key === "uniqueItems" && value === true) return extent.items <= MAX_UNIQUE_ITEMS;
  if (key !== "patternProperties" || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([pattern]) => isAffordable(pattern, extent.text)));
}

/** The engine reads `$ref` of each schema node that it visits: that reading is counted. */
function countVisits(copy: Record<string, unknown>, budget: { visits: number }): void {
  const own = Object.getOwnPropertyDescriptor(copy, "$ref");
  Object.defineProperty(copy, "$ref", {
    enumerable: own !== undefined,
    configurable: true,
    get() {
      if (--budget.visits < 0) throw new TooCostly();
      return own?.value;
    },
  });
}

/**
 * Whether a pattern's backtracking stays affordable on text of this length. A repeated group that itself repeats or
 * branches, and a back reference, can take exponential time; k open repetitions in a row take length to the k.
 */
export function isAffordable(pattern: string, length: number): boolean {
  const bare = pattern
    .replace(/\\[\s\S]/g, (escaped) => (/\\[1-9k]/.test(escaped) ? escaped : "a"))
    .replace(/\[[^\]]*\]/g, "a");
  if (/\\[1-9k]/.test(bare) || hasNestedRepeat(bare)) return false;
  const repeats = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  return length ** Math.max(1, repeats) <= MAX_PATTERN_STEPS;
}

function hasNestedRepeat(bare: string): boolean {
  const groups: boolean[] = [];
  for (let at = 0; at < bare.length; at++) {
    const char = bare[at]!;
    if (char === "(") groups.push(false);
    else if (char === ")") {
      const risky = groups.pop() ?? false;
      if (risky && isRepeat(bare[at + 1])) return true;
      if (risky || isRepeat(bare[at + 1])) markInner(groups);
    } else if (char === "|" || isRepeat(char)) markInner(groups);
  }
  return false;
}

function markInner(groups: boolean[]): void {
  if (groups.length > 0) groups[groups.length - 1] = true;
}

function isRepeat(char: string | undefined): boolean {
  return char === "*" || char === "+" || char === "{";
}
