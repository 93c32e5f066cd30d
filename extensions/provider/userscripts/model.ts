/** Scripts and the queue of changes that wait for a person, as stored. Sources are stored apart, one key each. */
import { isExtensionId, isRecord } from "../../contract/lumo.ts";
import { type Cell, parseList } from "../storage.ts";
import { type Metadata, parseMetadataRecord } from "./metadata.ts";

/** Bounds of the store. */
export const SCRIPT_LIMITS = {
  /** UTF-8 bytes of one source: with its JSON below the chain's 1,000,000 bytes of arguments. */
  sourceBytes: 524_288,
  /** Scripts in all: a listing is one message. */
  scripts: 1_000,
  /** Changes that wait: a person has to read them. */
  reviews: 100,
} as const;

export interface Script {
  uuid: string;
  /** Counts the sources, from 1: what `update_script` must have read. */
  version: number;
  enabled: boolean;
  /** Hex SHA-256 of the present source, its metadata block included. */
  sourceDigest: string;
  /** Digest of the source that a person approved or wrote; `null` if none ever was. */
  approvedDigest: string | null;
  metadata: Metadata;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
}

export type ReviewKind = "create" | "update" | "delete" | "enable";

/** A change that waits. `name` and `matches` are of the source that is to be judged. */
export interface Review {
  id: string;
  kind: ReviewKind;
  tool: string;
  senderId: string;
  at: string;
  uuid: string;
  /** `update`: the version that the proposal was made from. */
  baseVersion?: number;
  sourceDigest: string;
  metadata: Metadata;
  argumentsDigest: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

export function sourceKey(uuid: string): string {
  return `source:${uuid}`;
}

/** Key of a proposed source, by the review's id. */
export function proposalKey(reviewId: string): string {
  return `proposal:${reviewId}`;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

function parseScript(stored: unknown): Script | undefined {
  if (!isRecord(stored) || !isUuid(stored.uuid) || typeof stored.version !== "number") return undefined;
  const metadata = parseMetadataRecord(stored.metadata);
  if (!metadata) return undefined;
  return {
    uuid: stored.uuid,
    version: stored.version,
    enabled: stored.enabled === true,
    sourceDigest: text(stored.sourceDigest),
    approvedDigest: typeof stored.approvedDigest === "string" ? stored.approvedDigest : null,
    metadata,
    createdAt: text(stored.createdAt),
    updatedAt: text(stored.updatedAt),
  };
}

const KINDS: readonly unknown[] = ["create", "update", "delete", "enable"] satisfies ReviewKind[];

function parseReview(stored: unknown): Review | undefined {
  if (!isRecord(stored) || !isUuid(stored.id) || !isUuid(stored.uuid) || !isExtensionId(stored.senderId)) {
    return undefined;
  }
  const metadata = parseMetadataRecord(stored.metadata);
  if (!metadata || !KINDS.includes(stored.kind)) return undefined;
  return {
    id: stored.id,
    kind: stored.kind as ReviewKind,
    tool: text(stored.tool),
    senderId: stored.senderId,
    at: text(stored.at),
    uuid: stored.uuid,
    ...(typeof stored.baseVersion === "number" ? { baseVersion: stored.baseVersion } : {}),
    sourceDigest: text(stored.sourceDigest),
    metadata,
    argumentsDigest: text(stored.argumentsDigest),
  };
}

export const SCRIPT_CELLS = {
  scripts: { key: "scripts", parse: (stored: unknown) => parseList(stored, parseScript) } satisfies Cell<
    Script[]
  >,
  reviews: { key: "reviews", parse: (stored: unknown) => parseList(stored, parseReview) } satisfies Cell<
    Review[]
  >,
};

/** Whether a script may run: with review on only what a person approved, present source and `@match` included. */
export function mayRun(script: Script, review: boolean): boolean {
  return script.enabled && (!review || isApproved(script));
}

export function isApproved(script: Script): boolean {
  return script.approvedDigest === script.sourceDigest;
}

/** One source from storage; empty if there is none. */
export async function readSource(key: string): Promise<string> {
  return text((await chrome.storage.local.get(key))[key]);
}
