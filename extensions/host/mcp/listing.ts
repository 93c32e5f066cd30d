/** A provider's listing, parsed: which entries are tools at all. Names are judged in the catalogue. */
import { isRecord, LUMO_LIMITS } from "../../contract/lumo.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { shapeRule, toPageTool } from "../content-script/tool-rules.ts";

/** Rejections that are named one by one; the others are counted. */
export const NAMED_REJECTIONS = 256;
/** Characters of a foreign name that are shown. */
const MAX_NAME = 256;

/** `fault`: why the entry is no tool. Beyond the limit of tools only the name is kept. */
export interface ListedEntry {
  name: string;
  tool?: PageTool;
  fault?: string;
}

export interface Listing {
  entries: ListedEntry[];
  /** Entries that came; the last ones may not be kept. */
  total: number;
}

/** `raw`: the entries of `tools/list` in order. */
export function parseListing(raw: readonly unknown[]): Listing {
  const limit = LUMO_LIMITS.toolsPerProvider.value;
  const entries = raw
    .slice(0, limit + NAMED_REJECTIONS)
    .map((entry, index) => (index < limit ? parseEntry(entry) : { name: nameOf(entry) }));
  return { entries, total: raw.length };
}

function parseEntry(entry: unknown): ListedEntry {
  const name = nameOf(entry);
  if (!isRecord(entry)) return { name, fault: "a tool is an object" };
  const fault = shapeRule(entry);
  return fault === undefined ? { name, tool: toPageTool(entry as unknown as PageTool) } : { name, fault };
}

function nameOf(entry: unknown): string {
  const name = isRecord(entry) ? entry.name : undefined;
  return typeof name === "string" ? name.slice(0, MAX_NAME) : "";
}
