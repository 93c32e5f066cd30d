/** Small readers of values that may be anything. */
import { isRecord } from "../contract/lumo.ts";

export { isRecord };

/** The text, cut to `max` characters; `""` for anything else. */
export function textOf(value: unknown, max = Number.POSITIVE_INFINITY): string {
  return typeof value === "string" ? value.slice(0, max) : "";
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return (values as readonly unknown[]).includes(value);
}

export function isCount(value: unknown, max = Number.MAX_SAFE_INTEGER): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;
}

/** The URL, if it is one of `http:` or `https:` without a password in it. */
export function webUrl(text: unknown): URL | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? url : undefined;
}

/** The JSON object of a text, or `undefined`. */
export function jsonRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
