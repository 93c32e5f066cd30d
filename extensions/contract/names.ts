/** Public names: f(original) of spec chain.md §4, the same in the relay (Python) and in the panel. */
import { LIMITS } from "./limits.ts";

const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;

/** 6 hex digits of the SHA-256 of a text. */
export async function hash6(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, 6);
}

/**
 * The name itself if it is legal and fits, else every illegal character replaced by `_`, cut, `_` and 6 hex
 * digits of the SHA-256 of the original. `max` is the room in characters.
 */
export async function publicName(original: string, max: number = LIMITS.publicName): Promise<string> {
  if (LEGAL.test(original) && original.length <= max) return original;
  const suffix = `_${await hash6(original)}`;
  const safe = original.replace(/[^A-Za-z0-9_-]/gu, "_");
  return safe.slice(0, max - suffix.length) + suffix;
}

/** The panel's name of a page tool: `tab<id>__<f(name)>`, at most 64 characters. */
export async function panelName(tabId: number, original: string): Promise<string> {
  const prefix = `tab${tabId}__`;
  return prefix + (await publicName(original, LIMITS.publicName - prefix.length));
}
