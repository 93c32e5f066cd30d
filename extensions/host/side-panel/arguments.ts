/** Arguments as a person types them. */
import type { PageTool } from "../../contract/page-tools.ts";

export type ParsedArguments = { ok: true; args: Record<string, unknown> } | { ok: false; problem: string };

/** The text's JSON object; empty text is `{}`. `problem` is the parser's word, or "" for JSON of another kind. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { ok: true, args: {} };
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ok: true, args: value as Record<string, unknown> } : { ok: false, problem: "" };
  } catch (cause) {
    return { ok: false, problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

const EMPTY: Record<string, unknown> = {
  string: "",
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

/** Text to start from: the schema's required members with empty values of their type. */
export function argumentSkeleton({ inputSchema }: PageTool): string {
  const { required, properties } = inputSchema;
  if (!Array.isArray(required) || typeof properties !== "object" || properties === null) return "{}";
  const members = required.map((key) => [
    String(key),
    emptyValue((properties as Record<string, unknown>)[key]),
  ]);
  return JSON.stringify(Object.fromEntries(members), null, 2);
}

function emptyValue(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return null;
  const { default: preset, enum: choices, type } = schema as Record<string, unknown>;
  if (preset !== undefined) return preset;
  if (Array.isArray(choices)) return choices[0];
  return typeof type === "string" ? (EMPTY[type] ?? null) : null;
}
