/** The audit log: a ring of entries, each stored together with the write that it tells of. */
import { isExtensionId, isRecord, LUMO_LIMITS } from "../../contract/lumo.ts";
import { AUDIT_RESULTS, type AuditEntry } from "../../contract/lumo-audit.ts";
import { type Cell, parseList } from "../storage.ts";
import { isUuid } from "../userscripts/model.ts";

function parseEntry(stored: unknown): AuditEntry | undefined {
  if (!isRecord(stored) || !isExtensionId(stored.senderId)) return undefined;
  const { at, tool, senderId, result, targetUuid, argumentsDigest: digest } = stored as unknown as AuditEntry;
  const known = AUDIT_RESULTS.includes(result) && typeof at === "string" && typeof tool === "string";
  if (!known || typeof digest !== "string") return undefined;
  return {
    at,
    tool,
    senderId,
    result,
    targetUuid: isUuid(targetUuid) ? targetUuid : null,
    argumentsDigest: digest,
  };
}

/** The salt is empty until the first entry makes one. */
export const AUDIT_CELLS = {
  audit: { key: "audit", parse: (stored: unknown) => parseList(stored, parseEntry) } satisfies Cell<
    AuditEntry[]
  >,
  salt: {
    key: "auditSalt",
    parse: (stored: unknown) => (typeof stored === "string" ? stored : ""),
  } satisfies Cell<string>,
};

export interface AuditLog {
  audit: AuditEntry[];
  salt: string;
}

/** What an entry is about: of the arguments only their digest. */
export interface AuditSubject {
  tool: string;
  senderId: string;
  argumentsDigest: string;
}

function newSalt(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** The log with a salt; a new salt is stored with the first entry. */
export function salted(log: AuditLog): AuditLog {
  return { audit: log.audit, salt: log.salt || newSalt() };
}

/** Storage items of the log with one entry more; to be set together with the write itself. */
export function auditItems(
  log: AuditLog,
  subject: AuditSubject,
  outcome: Pick<AuditEntry, "result" | "targetUuid">,
): Record<string, unknown> {
  const entry: AuditEntry = {
    at: new Date().toISOString(),
    tool: subject.tool,
    senderId: subject.senderId,
    result: outcome.result,
    targetUuid: outcome.targetUuid,
    argumentsDigest: subject.argumentsDigest,
  };
  const ring = [...log.audit, entry].slice(-LUMO_LIMITS.auditEntries.value);
  return { [AUDIT_CELLS.audit.key]: ring, [AUDIT_CELLS.salt.key]: log.salt };
}

/** One JSON object a line, oldest first. */
export function toJsonLines(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
