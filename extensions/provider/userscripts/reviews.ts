/** What a person's decision about a waiting change does. */
import {
  CHANGED,
  type ChangeContext,
  failed,
  type Plan,
  planApproveSource,
  planCreate,
  planDelete,
  planEnable,
  planUpdate,
} from "./changes.ts";
import { proposalKey, type Review, SCRIPT_CELLS } from "./model.ts";

/** The plan without the decided review, and without its proposal. */
function settled(plan: Plan, context: ChangeContext, review: Review): Plan & { kind: "done" } {
  const set = plan.kind === "failed" ? {} : plan.set;
  const rest = context.reviews.filter((other) => other.id !== review.id);
  return {
    kind: "done",
    targetUuid: review.uuid,
    set: { ...set, [SCRIPT_CELLS.reviews.key]: rest },
    remove: [...(plan.kind === "failed" ? [] : plan.remove), proposalKey(review.id)],
    data: plan.kind === "failed" ? { failed: plan.message } : plan.data,
  };
}

/** The change is dropped. */
export function planRefuse(context: ChangeContext, review: Review): Plan & { kind: "done" } {
  return settled(failed("refused"), context, review);
}

/**
 * The change happens now, if what it was made from is still there; else `data.failed` says why and only the review
 * goes. `proposal` is the source that the person was shown.
 */
export async function planApprove(
  context: ChangeContext,
  review: Review,
  proposal: string,
): Promise<Plan & { kind: "done" }> {
  const person: ChangeContext = { ...context, review: false, byPerson: true };
  return settled(await approved(person, review, proposal), context, review);
}

async function approved(context: ChangeContext, review: Review, proposal: string): Promise<Plan> {
  switch (review.kind) {
    case "create":
      return planCreate(context, proposal, review.uuid);
    case "update":
      return planUpdate(context, review.uuid, proposal, review.baseVersion ?? 0);
    case "delete":
      return approvedDelete(context, review);
    case "enable":
      return approvedEnable(context, review);
  }
}

/** Deletes what the person was shown, nothing newer. */
function approvedDelete(context: ChangeContext, review: Review): Plan {
  const script = context.scripts.find((one) => one.uuid === review.uuid);
  return script && script.sourceDigest !== review.sourceDigest
    ? failed(CHANGED)
    : planDelete(context, review.uuid);
}

/** Approves the source and enables the script, both in one write. */
function approvedEnable(context: ChangeContext, review: Review): Plan {
  const approval = planApproveSource(context, review.uuid, review.sourceDigest);
  if (approval.kind === "failed") return approval;
  const scripts = SCRIPT_CELLS.scripts.parse(approval.set[SCRIPT_CELLS.scripts.key]);
  return planEnable({ ...context, scripts }, review.uuid, true);
}
