/** The parts of a message or artifact as text, in both dialects. Files are named, never fetched. */
import { isRecord, recordsOf, textOf } from "../parse.ts";

export function partsText(parts: unknown): string {
  return recordsOf(parts)
    .map(partText)
    .filter((text) => text !== "")
    .join("\n");
}

function partText(part: Record<string, unknown>): string {
  if (typeof part.text === "string") return part.text;
  if (part.data !== undefined) return JSON.stringify(part.data) ?? "";
  const file = isRecord(part.file) ? part.file : part;
  const name = textOf(file.name, 200) || textOf(file.filename, 200) || "without a name";
  const type = textOf(file.mimeType, 100) || textOf(file.mediaType, 100) || "of unknown type";
  const where = textOf(file.uri, 2_000) || textOf(file.url, 2_000);
  return `[file ${name}, ${type}${where === "" ? "" : `, ${where}`}, not shown]`;
}
