/** Audit entries, their digest, and the sliding window of writes. Mirrored by `webmcp_e2e.lumo`. */
import { isRecord, LUMO_LIMITS } from "./lumo.ts";

export const AUDIT_RESULTS = [
  "ok",
  "error",
  "denied",
  "rate_limited",
  "pending",
  "approved",
  "refused",
] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** One write or refused write. No field ever holds script source. */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  at: string;
  tool: string;
  senderId: string;
  result: AuditResult;
  targetUuid: string | null;
  /** Hex SHA-256 of the install's salt followed by the arguments' canonical JSON. */
  argumentsDigest: string;
}

function canonicalMembers(value: Record<string, unknown>): string {
  const members = Object.keys(value)
    .sort()
    .filter((key) => value[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

/** JSON without blanks, members sorted by UTF-16 code units (as in RFC 8785); `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  return isRecord(value) ? canonicalMembers(value) : JSON.stringify(value);
}

/** Hex SHA-256 of a text's UTF-8. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `salt`: hex, made once an install, so that equal arguments on two installs cannot be recognized. */
export function argumentsDigest(salt: string, args: unknown): Promise<string> {
  return sha256(salt + canonicalJson(args));
}

/** Times of the counted writes of one sender, epoch milliseconds, oldest first. */
export type WriteWindow = readonly number[];

export type WriteAdmission =
  | { admitted: true; window: WriteWindow }
  | { admitted: false; window: WriteWindow; waitSeconds: number };

/**
 * Whether a write at `now` (epoch milliseconds) passes. `window` of the answer is what to store: with the new write
 * where it passed. A clock that went back makes no write wait longer than one window.
 */
export function admitWrite(window: WriteWindow, now: number): WriteAdmission {
  const { value: span } = LUMO_LIMITS.writeWindowMs;
  const live = window.map((at) => Math.min(at, now)).filter((at) => at > now - span);
  if (live.length < LUMO_LIMITS.writesPerWindow.value) return { admitted: true, window: [...live, now] };
  const waitSeconds = Math.max(
    1,
    Math.ceil((live[live.length - LUMO_LIMITS.writesPerWindow.value]! + span - now) / 1_000),
  );
  return { admitted: false, window: live, waitSeconds };
}
