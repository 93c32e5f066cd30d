/** A tool's result as the model reads it: marked as untrusted, and cut. */
import type { ToolResult } from "../../contract/errors.ts";
import { AGENT_LIMITS } from "../limits.ts";
import { isRecord, textOf } from "../parse.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Room for the marks and the note. */
const MARKS = 500;

/**
 * `[untrusted result of NAME #mark] … [end #mark]`. `mark` is unknown to whoever made the result, so that nothing in it
 * can pass for its end. At most `AGENT_LIMITS.modelResult` bytes.
 */
export function untrustedText(name: string, result: ToolResult, mark: string): string {
  const { text, note } = cutText(plainText(result), AGENT_LIMITS.modelResult - MARKS);
  return `[untrusted result of ${name} #${mark}]\n${text}\n[end #${mark}]${note}`;
}

/** All blocks as text; what is no text is named, not shown. */
export function plainText(result: ToolResult): string {
  const blocks = result.content.map(blockText).filter((text) => text !== "");
  if (blocks.length > 0) return blocks.join("\n");
  return result.structuredContent === undefined ? "(no content)" : JSON.stringify(result.structuredContent);
}

function cutText(text: string, max: number): { text: string; note: string } {
  const bytes = encoder.encode(text);
  if (bytes.length <= max) return { text, note: "" };
  // A character that is cut in two at the end decodes to a replacement character.
  const kept = decoder.decode(bytes.subarray(0, max)).replace(/\uFFFD+$/, "");
  const note = `\n[cut: the first ${encoder.encode(kept).length} of ${bytes.length} bytes. Ask for less at a time.]`;
  return { text: kept, note };
}

function blockText(block: unknown): string {
  if (!isRecord(block)) return "";
  if (block.type === "text") return textOf(block.text);
  if (block.type === "resource" && isRecord(block.resource)) return resourceText(block.resource);
  if (block.type === "resource_link") return `[link ${textOf(block.uri, 2_000)}]`;
  const size = typeof block.data === "string" ? `, ${block.data.length} characters of base64` : "";
  return `[${textOf(block.type, 40) || "block"} ${textOf(block.mimeType, 100)}${size}, not shown]`;
}

function resourceText(resource: Record<string, unknown>): string {
  return textOf(resource.text) || `[resource ${textOf(resource.uri, 2_000)}, not shown]`;
}
