/** Takes secrets out of what is written down: by the member's name, by its looks, and by the values that are known. */

/** Keys of `chrome.storage.local` whose values, at any depth, are secrets. */
export const SECRET_KEYS = ["llmKey", "a2aTokens"] as const;

export const REDACTED = "[redacted]";

const SECRET_MEMBER =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?keys?|(access|refresh|bearer|auth)?[-_]?tokens?|secrets?|client[-_]?secret|pass(word|wd|phrase)?)$/i;
const SECRET_TEXT = [
  /\b(bearer|basic)\s+[\w.~+/-]{6,}=*/gi,
  /\bsk-[\w-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=[?&](?:api[-_]?key|key|token|access_token|password|secret)=)[^&#\s"]+/gi,
  /(?<=\/\/[^/\s:@]+:)[^/\s@]+(?=@)/g,
];
/** A shorter known value would be found in ordinary words. */
const SHORTEST_SECRET = 4;

/** A copy without secrets. `known`: texts that are secrets wherever they stand, as `secretForms` gives them. */
export function redact(value: unknown, known: readonly string[] = []): unknown {
  if (typeof value === "string") return redactText(value, known);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, known));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    redactText(name, known),
    SECRET_MEMBER.test(name) && isGiven(member) ? REDACTED : redact(member, known),
  ]);
  return Object.fromEntries(members);
}

/** Text without secrets. */
export function redactText(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) clean = clean.replaceAll(secret, REDACTED);
  for (const pattern of SECRET_TEXT) clean = clean.replace(pattern, REDACTED);
  return clean;
}

/**
 * The forms in which a stored secret may stand somewhere: each text of at least four characters as it is, in JSON, in a
 * URL and in base64. The longest come first, so that none hides another one.
 */
export function secretForms(stored: unknown): string[] {
  const forms = textsIn(stored).flatMap(disguises);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length >= SHORTEST_SECRET ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isGiven(member: unknown): boolean {
  return member !== undefined && member !== null && member !== "" && typeof member !== "boolean";
}

function disguises(secret: string): string[] {
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(secret))).replace(/=+$/, "");
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64];
}
