/**
 * Plans of changes to the store. Nothing here writes: a plan says what to set and remove, and its caller sets it
 * together with the audit entry.
 */

import { sha256 } from "../../contract/lumo-audit.ts";
import type { AuditSubject } from "../agent/audit.ts";
import { type Metadata, parseMetadata } from "./metadata.ts";
import {
  isApproved,
  proposalKey,
  type Review,
  type ReviewKind,
  SCRIPT_CELLS,
  SCRIPT_LIMITS,
  type Script,
  sourceKey,
} from "./model.ts";

/** The store that a plan is made for, and who asks. */
export interface ChangeContext {
  scripts: Script[];
  reviews: Review[];
  /** Whether the change has to wait for a person. `false` for the person's own changes. */
  review: boolean;
  /** The person wrote or saw the source: it counts as approved. */
  byPerson: boolean;
  /** Kept with a change that waits, for the audit entry of the decision. */
  subject: AuditSubject;
}

/** `done` happens now, `queued` waits for a person, `failed` changes nothing. */
export type Plan =
  | { kind: "failed"; message: string }
  | {
      kind: "done" | "queued";
      targetUuid: string;
      set: Record<string, unknown>;
      remove: string[];
      data: Record<string, unknown>;
    };

export function failed(message: string): Plan {
  return { kind: "failed", message };
}

interface Draft {
  source: string;
  sourceDigest: string;
  metadata: Metadata;
}

async function draftOf(source: string): Promise<Draft | string> {
  const bytes = new TextEncoder().encode(source).length;
  if (bytes > SCRIPT_LIMITS.sourceBytes) {
    return `The source has ${bytes} bytes. Keep it below ${SCRIPT_LIMITS.sourceBytes}.`;
  }
  const parsed = parseMetadata(source);
  return parsed.ok
    ? { source, sourceDigest: await sha256(source), metadata: parsed.metadata }
    : parsed.problems.join(" ");
}

function find(context: ChangeContext, uuid: string): Script | undefined {
  return context.scripts.find((script) => script.uuid === uuid);
}

/** What a person decided about is no longer what is there. */
export const CHANGED = "The source has changed meanwhile. Look at it again.";

function unknownScript(uuid: string): Plan {
  return failed(`There is no script ${uuid}. List the scripts and use one of their uuids.`);
}

const scriptItems = (scripts: readonly Script[]) => ({ [SCRIPT_CELLS.scripts.key]: scripts });
const reviewItems = (reviews: readonly Review[]) => ({ [SCRIPT_CELLS.reviews.key]: reviews });

function replaced(scripts: readonly Script[], next: Script): Script[] {
  return scripts.map((script) => (script.uuid === next.uuid ? next : script));
}

type Waiting = Pick<Review, "kind" | "uuid" | "sourceDigest" | "metadata"> & { baseVersion?: number };

function queue(context: ChangeContext, waiting: Waiting, source?: string): Plan {
  if (context.reviews.length >= SCRIPT_LIMITS.reviews) {
    return failed(
      `${SCRIPT_LIMITS.reviews} changes wait for approval already. Ask the user to decide on them.`,
    );
  }
  const id = crypto.randomUUID();
  const review: Review = { id, ...waiting, ...context.subject, at: new Date().toISOString() };
  const proposal = source === undefined ? {} : { [proposalKey(id)]: source };
  return {
    kind: "queued",
    targetUuid: waiting.uuid,
    set: { ...reviewItems([...context.reviews, review]), ...proposal },
    remove: [],
    data: {
      status: "pending_approval",
      uuid: waiting.uuid,
      reviewId: id,
      message: PENDING_TEXT[waiting.kind],
    },
  };
}

const PENDING_TEXT: Record<ReviewKind, string> = {
  create:
    "Review is on: the script waits for the user's approval on the provider's page. It does not exist until then.",
  update:
    "Review is on: the update waits for the user's approval on the provider's page. The old source stays until then.",
  delete: "Review is on: the deletion waits for the user's approval on the provider's page.",
  enable: "This source was never approved: enabling waits for the user's approval on the provider's page.",
};

/** `uuid`: the one that was promised when the create was queued. */
export async function planCreate(
  context: ChangeContext,
  source: string,
  uuid: string = crypto.randomUUID(),
): Promise<Plan> {
  const draft = await draftOf(source);
  if (typeof draft === "string") return failed(draft);
  if (context.scripts.length >= SCRIPT_LIMITS.scripts) {
    return failed(`There are ${SCRIPT_LIMITS.scripts} scripts already. Delete one first.`);
  }
  const { sourceDigest, metadata } = draft;
  if (context.review) return queue(context, { kind: "create", uuid, sourceDigest, metadata }, source);
  return created(context, uuid, draft);
}

function created(context: ChangeContext, uuid: string, draft: Draft): Plan {
  const now = new Date().toISOString();
  const script: Script = {
    uuid,
    version: 1,
    enabled: false,
    sourceDigest: draft.sourceDigest,
    approvedDigest: context.byPerson ? draft.sourceDigest : null,
    metadata: draft.metadata,
    createdAt: now,
    updatedAt: now,
  };
  return done(
    uuid,
    { ...scriptItems([...context.scripts, script]), [sourceKey(uuid)]: draft.source },
    { version: 1, enabled: false },
  );
}

function done(
  uuid: string,
  set: Record<string, unknown>,
  data: Record<string, unknown>,
  remove: string[] = [],
): Plan {
  return { kind: "done", targetUuid: uuid, set, remove, data: { status: "done", uuid, ...data } };
}

/** `version`: the one that the caller read; a stale one is refused. */
export async function planUpdate(
  context: ChangeContext,
  uuid: string,
  source: string,
  version: number,
): Promise<Plan> {
  const script = find(context, uuid);
  if (!script) return unknownScript(uuid);
  if (script.version !== version) {
    return failed(
      `The script is at version ${script.version}, not ${version}. Read it again and update from there.`,
    );
  }
  const draft = await draftOf(source);
  if (typeof draft === "string") return failed(draft);
  const { sourceDigest, metadata } = draft;
  if (context.review) {
    return queue(context, { kind: "update", uuid, baseVersion: version, sourceDigest, metadata }, source);
  }
  return updated(context, script, draft);
}

function updated(context: ChangeContext, script: Script, draft: Draft): Plan {
  const next: Script = {
    ...script,
    version: script.version + 1,
    sourceDigest: draft.sourceDigest,
    approvedDigest: context.byPerson ? draft.sourceDigest : script.approvedDigest,
    metadata: draft.metadata,
    updatedAt: new Date().toISOString(),
  };
  const set = { ...scriptItems(replaced(context.scripts, next)), [sourceKey(script.uuid)]: draft.source };
  return done(script.uuid, set, { version: next.version, enabled: next.enabled });
}

export function planDelete(context: ChangeContext, uuid: string): Plan {
  const script = find(context, uuid);
  if (!script) return unknownScript(uuid);
  const { sourceDigest, metadata } = script;
  if (context.review) return queue(context, { kind: "delete", uuid, sourceDigest, metadata });
  const rest = context.scripts.filter((one) => one.uuid !== uuid);
  return done(uuid, scriptItems(rest), { deleted: true }, [sourceKey(uuid)]);
}

/** Switching off never waits; switching on waits where the present source was never approved. */
export function planEnable(context: ChangeContext, uuid: string, enabled: boolean): Plan {
  const script = find(context, uuid);
  if (!script) return unknownScript(uuid);
  const { sourceDigest, metadata } = script;
  if (enabled && context.review && !isApproved(script)) {
    return queue(context, { kind: "enable", uuid, sourceDigest, metadata });
  }
  const next: Script = { ...script, enabled, updatedAt: new Date().toISOString() };
  return done(uuid, scriptItems(replaced(context.scripts, next)), { version: script.version, enabled });
}

/** The person saw the present source and lets it run. `digest`: of what was shown. */
export function planApproveSource(context: ChangeContext, uuid: string, digest: string): Plan {
  const script = find(context, uuid);
  if (!script) return unknownScript(uuid);
  if (script.sourceDigest !== digest) return failed(CHANGED);
  const next: Script = { ...script, approvedDigest: digest };
  return done(uuid, scriptItems(replaced(context.scripts, next)), {
    version: script.version,
    enabled: script.enabled,
  });
}
