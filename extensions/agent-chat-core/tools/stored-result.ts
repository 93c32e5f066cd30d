/** What a tool gave, as a well-shaped result that can be stored. */
import { ERROR_META, type Executed, errorResult, type ToolResult } from "../../contract/errors.ts";
import { jsonBytes } from "../../contract/limits.ts";
import { AGENT_LIMITS } from "../limits.ts";
import { isRecord } from "../parse.ts";
import { plainText } from "./result-text.ts";

export interface StoredResult {
  result: ToolResult;
  /** The result was too big; its text up to the limit is kept. */
  resultCut?: true;
}

/** Room for what is around the text; a text's JSON is at most this many times as long as its characters. */
const AROUND = 1_000;
const WORST_ESCAPE = 6;

/** Copies what has JSON; anything that is no result becomes an error result. */
export function storedResult(given: unknown): StoredResult {
  const result = jsonCopy(given);
  if (!isResult(result)) return { result: misshapen() };
  if (jsonBytes(result) <= AGENT_LIMITS.storedResult) return { result };
  return { result: cutResult(result), resultCut: true };
}

function jsonCopy(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return undefined;
  }
}

function isResult(value: unknown): value is ToolResult {
  return isRecord(value) && Array.isArray(value.content);
}

function misshapen(): ToolResult {
  const message = "The tool's result has no content. Check what the tool did before you call it again.";
  return errorResult({ code: "page_error", executed: "yes", message });
}

function cutResult(result: ToolResult): ToolResult {
  const room = AGENT_LIMITS.storedResult - AROUND;
  const text = plainText(result);
  const fits = (length: number) => jsonBytes(text.slice(0, length)) <= room;
  const length = [room, room / 2, room / 3].map(Math.floor).find(fits) ?? Math.floor(room / WORST_ESCAPE);
  const content = [{ type: "text", text: text.slice(0, length) }];
  return { content, ...(result.isError === true ? { isError: true } : {}) };
}

/** Whether the tool ran, as the chain itself says it of an error result. */
export function executedOf(result: unknown): Executed | undefined {
  const meta = isRecord(result) && isRecord(result._meta) ? result._meta[ERROR_META] : undefined;
  const executed = isRecord(meta) ? meta.executed : undefined;
  return executed === "no" || executed === "yes" || executed === "unknown" ? executed : undefined;
}

export function isOutcomeUnknown(result: ToolResult): boolean {
  return result.isError === true && executedOf(result) === "unknown";
}
