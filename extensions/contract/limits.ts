/** Bounds of untrusted input, in UTF-8 bytes of JSON unless noted (spec chain.md §2 and §4). Mirrored in Python. */
export const LIMITS = {
  /** A tool's result: below the frame limit, so that what the page may return can also be sent. */
  result: 8_000_000,
  /** Arguments of a call. */
  args: 1_000_000,
  /** A tool's description: longer ones are a burden on every model request. */
  description: 4_096,
  /** One input or output schema. */
  schema: 65_536,
  /** Tools of one page (a count). */
  tools: 256,
  /** One websocket frame of the relay. */
  frame: 10_000_000,
  /** Assumed of a peer that announces no `maxPayload`. */
  peerFrame: 1_000_000,
  /** A name that a model sees (characters). */
  publicName: 64,
} as const;

/** Page tools whose name starts so are rejected: the names belong to the extension, relay, providers, agents. */
export const RESERVED_PREFIXES = ["chrome_extension_", "webmcp_", "ext__", "a2a__"] as const;

const encoder = new TextEncoder();

/** UTF-8 bytes of a value's JSON; `undefined` counts 0. Throws where the value has no JSON. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value);
  return text === undefined ? 0 : encoder.encode(text).length;
}

/** Whether objects and lists nest deeper than so many levels. Looks no deeper itself: an abyss would end the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
