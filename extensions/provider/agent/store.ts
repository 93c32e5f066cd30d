/** One read of everything that a call depends on, and the one commit of what it changes. */
import type { AuditEntry } from "../../contract/lumo-audit.ts";
import { readCells } from "../storage.ts";
import { SCRIPT_CELLS } from "../userscripts/model.ts";
import { AUDIT_CELLS, type AuditLog, type AuditSubject, auditItems } from "./audit.ts";
import { ACCESS_CELLS } from "./policy.ts";

const CELLS = { ...ACCESS_CELLS, ...SCRIPT_CELLS, ...AUDIT_CELLS };

export type Store = Awaited<ReturnType<typeof readStore>>;

export function readStore() {
  return readCells(CELLS);
}

/** A write and its audit entry are one `storage.local.set`: neither is ever there without the other. */
export async function commit(
  log: AuditLog,
  subject: AuditSubject,
  outcome: Pick<AuditEntry, "result" | "targetUuid">,
  change: { set: Record<string, unknown>; remove: string[] } = { set: {}, remove: [] },
): Promise<void> {
  await setAll({ ...change.set, ...auditItems(log, subject, outcome) }, change.remove);
}

/** `remove`: keys that nothing refers to any more once the items are set. */
export async function setAll(items: Record<string, unknown>, remove: string[]): Promise<void> {
  await chrome.storage.local.set(items);
  if (remove.length > 0) await chrome.storage.local.remove(remove);
}
