/** Who may do what: the three switches, the allowlist, and the senders that wait for a decision. */
import { cutText, isExtensionId, isRecord, LUMO_LIMITS } from "../../contract/lumo.ts";
import { type Cell, parseList, readCells } from "../storage.ts";

export interface Policy {
  /** Agents may reach this provider at all. */
  endpoint: boolean;
  /** Writing tools may run. */
  write: boolean;
  /** Creates, updates and deletes wait for a person. */
  review: boolean;
}

export const DEFAULT_POLICY: Policy = { endpoint: false, write: false, review: true };

/** A foreign extension. `name` is its own claim, for display only; `at` is ISO 8601. */
export interface Sender {
  id: string;
  name: string;
  at: string;
}

/** Everything that decides about a sender, as stored. */
export interface Access {
  policy: Policy;
  allowed: Sender[];
  pending: Sender[];
  refused: Sender[];
}

function parsePolicy(stored: unknown): Policy {
  const from = isRecord(stored) ? stored : {};
  return { endpoint: from.endpoint === true, write: from.write === true, review: from.review !== false };
}

function parseSender(stored: unknown): Sender | undefined {
  if (!isRecord(stored) || !isExtensionId(stored.id)) return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { id: stored.id, name: cutText(text(stored.name)), at: text(stored.at) };
}

function senders(key: string): Cell<Sender[]> {
  return { key, parse: (stored) => parseList(stored, parseSender) };
}

export const ACCESS_CELLS = {
  policy: { key: "policy", parse: parsePolicy } satisfies Cell<Policy>,
  allowed: senders("allowlist"),
  pending: senders("pendingApprovals"),
  refused: senders("refusedSenders"),
};

/** Read anew at the start of every probe and every call: a switch takes effect on the next one. */
export function readAccess(): Promise<Access> {
  return readCells(ACCESS_CELLS);
}

/** As stored by `chrome.storage.local.set`. */
export function accessItems(access: Access): Record<string, unknown> {
  return {
    [ACCESS_CELLS.policy.key]: access.policy,
    [ACCESS_CELLS.allowed.key]: access.allowed,
    [ACCESS_CELLS.pending.key]: access.pending,
    [ACCESS_CELLS.refused.key]: access.refused,
  };
}

const has = (list: readonly Sender[], id: string) => list.some((sender) => sender.id === id);
const without = (list: readonly Sender[], id: string) => list.filter((sender) => sender.id !== id);

export interface Standing {
  enabled: boolean;
  authorized: boolean;
  pendingApproval: boolean;
}

/** By the sender's real id alone: nothing that a sender says about itself counts. */
export function standing(access: Access, senderId: string): Standing {
  const authorized = has(access.allowed, senderId);
  return {
    enabled: access.policy.endpoint,
    authorized,
    pendingApproval: !authorized && has(access.pending, senderId),
  };
}

/** Whether this contact is to be shown to the person: an unknown sender while the endpoint is on. */
export function isFirstContact(access: Access, senderId: string): boolean {
  const known = [access.allowed, access.pending, access.refused].some((list) => has(list, senderId));
  return access.policy.endpoint && !known;
}

/** The sender joins the pending approvals; the oldest makes room. */
export function addPending(access: Access, sender: Sender): Access {
  const pending = [...without(access.pending, sender.id), { ...sender, name: cutText(sender.name) }];
  return { ...access, pending: pending.slice(-LUMO_LIMITS.pendingApprovals.value) };
}

/** Takes the sender from wherever it is. */
export function forget(access: Access, id: string): Access {
  return {
    ...access,
    allowed: without(access.allowed, id),
    pending: without(access.pending, id),
    refused: without(access.refused, id),
  };
}

function claimOf(access: Access, id: string, at: string): Sender {
  const known = [...access.pending, ...access.refused, ...access.allowed].find((sender) => sender.id === id);
  return { id, name: known?.name ?? "", at };
}

/** On the allowlist from now on. */
export function approve(access: Access, id: string, at: string): Access {
  const rest = forget(access, id);
  return { ...rest, allowed: [...rest.allowed, claimOf(access, id, at)] };
}

/** No longer asked about, and not let in. */
export function refuse(access: Access, id: string, at: string): Access {
  const rest = forget(access, id);
  return { ...rest, refused: [...rest.refused, claimOf(access, id, at)] };
}

/** The present policy in the words of the server's instructions. */
export function policyText(policy: Policy, notReady: string | undefined): string {
  const onOff = (on: boolean) => (on ? "on" : "off");
  const ready = notReady === undefined ? "yes" : `no (${notReady})`;
  return `Policy now: endpoint ${onOff(policy.endpoint)}, write ${onOff(policy.write)}, review ${onOff(policy.review)}, ready ${ready}.`;
}
