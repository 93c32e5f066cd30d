/** Values of a conversation as text for a person. */
import type { ToolResult } from "../../../contract/errors.ts";
import { errorOf } from "../result-text.ts";

/** Characters of a result that are shown at once: more would make one frame long. */
export const SHOWN_AT_ONCE = 20_000;

/** `840 ms`, `1.2 s`, `2 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The chain's code of a failed result; `tool_error` where the tool itself says that it failed, `undefined` for success. */
export function errorCodeOf(result: ToolResult | undefined): string | undefined {
  if (!result) return undefined;
  return errorOf(result)?.code ?? (result.isError === true ? "tool_error" : undefined);
}

/** Control characters that reorder or hide text, so that what is asked for consent reads as it is. */
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Arguments as indented JSON; invisible characters show as their escapes. */
export function argumentsText(args: Record<string, unknown>): string {
  return JSON.stringify(args, null, 2).replace(INVISIBLE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
