/** Local references of a schema. Nothing is fetched. */
import { isRecord } from "../parse.ts";

/** What `#`, `#/$defs/x` or a deeper pointer means in a schema; `undefined` for all others. */
export function localTarget(root: Record<string, unknown>, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split("/")) at = member(at, unescaped(part));
  return at;
}

function member(value: unknown, key: string): unknown {
  const isContainer = isRecord(value) || Array.isArray(value);
  return isContainer && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function unescaped(part: string): string {
  const decoded = /%[0-9a-f]{2}/i.test(part) ? safeDecode(part) : part;
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
