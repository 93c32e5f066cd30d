/** Which of the page's tools are taken over. A page is untrusted: what breaks a rule is rejected, with the rule's name. */
import { isDeeperThan, jsonBytes, LIMITS, RESERVED_PREFIXES } from "../../contract/limits.ts";
import type { PageTool, RejectedTool } from "../../contract/page-tools.ts";
import { isRecord } from "../../contract/tab-channel.ts";

/** Characters; WebMCP allows 128, a frame's tool has a suffix. */
const MAX_NAME = 256;
const MAX_SCHEMA_DEPTH = 64;

export interface ToolList {
  tools: PageTool[];
  rejected: RejectedTool[];
}

/** `raw`: the entries of `tools/list` in order. At most `LIMITS.tools` are taken and as many rejections named. */
export function sortOut(raw: readonly unknown[]): ToolList {
  const tools = new Map<string, PageTool>();
  const rejected: RejectedTool[] = [];
  for (const entry of raw) {
    const rule = brokenRule(entry, tools);
    if (rule === undefined) tools.set((entry as PageTool).name, toPageTool(entry as PageTool));
    else if (rejected.length < LIMITS.tools) rejected.push({ name: nameOf(entry), rule });
  }
  return { tools: [...tools.values()], rejected };
}

function nameOf(entry: unknown): string {
  const name = isRecord(entry) ? entry.name : undefined;
  return typeof name === "string" ? name.slice(0, MAX_NAME) : "(no name)";
}

/** The first rule that the entry breaks, as a sentence for people; `undefined` makes it a PageTool. */
function brokenRule(entry: unknown, taken: ReadonlyMap<string, PageTool>): string | undefined {
  if (!isRecord(entry)) return "a tool is an object";
  return nameRule(entry.name, taken) ?? shapeRule(entry);
}

/** The first rule that an entry breaks apart from its name; the same for tools of pages and of providers. */
export function shapeRule(entry: Record<string, unknown>): string | undefined {
  return textRule(entry) ?? schemaRule(entry) ?? extraRule(entry);
}

function nameRule(name: unknown, taken: ReadonlyMap<string, PageTool>): string | undefined {
  if (typeof name !== "string" || name === "") return "a tool needs a name";
  if (name.length > MAX_NAME) return `a name has at most ${MAX_NAME} characters`;
  const reserved = RESERVED_PREFIXES.find((prefix) => name.startsWith(prefix));
  if (reserved) return `names that start with ${reserved} are reserved`;
  if (taken.has(name)) return "the name is taken by an earlier tool of the page";
  return taken.size >= LIMITS.tools ? `a page has at most ${LIMITS.tools} tools` : undefined;
}

function textRule(entry: Record<string, unknown>): string | undefined {
  for (const member of ["title", "description"]) {
    const text = entry[member];
    if (text === undefined) continue;
    if (typeof text !== "string") return `${member} is text`;
    if (!fits(text, LIMITS.description))
      return `too_large: ${member} has at most ${LIMITS.description} bytes`;
  }
  return undefined;
}

function schemaRule(entry: Record<string, unknown>): string | undefined {
  const { inputSchema, outputSchema } = entry;
  if (!isRecord(inputSchema) || (inputSchema.type ?? "object") !== "object") {
    return "inputSchema is a JSON Schema of type object";
  }
  if (outputSchema !== undefined && !isRecord(outputSchema)) return "outputSchema is a JSON Schema";
  for (const schema of [inputSchema, outputSchema]) {
    if (!fits(schema, LIMITS.schema)) return `too_large: a schema has at most ${LIMITS.schema} bytes`;
    if (isDeeperThan(schema, MAX_SCHEMA_DEPTH))
      return `too_large: a schema has at most ${MAX_SCHEMA_DEPTH} levels`;
  }
  return undefined;
}

function extraRule(entry: Record<string, unknown>): string | undefined {
  for (const member of ["annotations", "_meta"]) {
    const value = entry[member];
    if (value === undefined) continue;
    if (!isRecord(value)) return `${member} is an object`;
    if (!fits(value, LIMITS.description))
      return `too_large: ${member} has at most ${LIMITS.description} bytes`;
  }
  return undefined;
}

/** What has no JSON (a cycle, an abyss) fits nowhere. */
function fits(value: unknown, bytes: number): boolean {
  try {
    return jsonBytes(value) <= bytes;
  } catch {
    return false;
  }
}

/** Only the members that the contract names. */
export function toPageTool(entry: PageTool): PageTool {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = entry;
  return {
    name,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    inputSchema: { type: "object", ...inputSchema },
    ...(outputSchema ? { outputSchema } : {}),
    ...(annotations ? { annotations } : {}),
    ...(_meta ? { _meta } : {}),
  };
}
