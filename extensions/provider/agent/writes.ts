/** The way of every write: policy, arguments, plan, window, then write and audit entry in one. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { LUMO_LIMITS } from "../../contract/lumo.ts";
import { type AuditResult, argumentsDigest } from "../../contract/lumo-audit.ts";
import { refreshBadge } from "../badge.ts";
import { serialised } from "../serial.ts";
import {
  type ChangeContext,
  type Plan,
  planCreate,
  planDelete,
  planEnable,
  planUpdate,
} from "../userscripts/changes.ts";
import { isUuid } from "../userscripts/model.ts";
import { notReadyReason } from "../userscripts/readiness.ts";
import { withSync } from "../userscripts/registration.ts";
import { type AuditSubject, salted } from "./audit.ts";
import { callRefusal, writeRefusal } from "./gate.ts";
import { countWrite } from "./rate-window.ts";
import { dataResult, failureResult } from "./results.ts";
import { commit, readStore, type Store } from "./store.ts";
import type { Arguments, ToolName } from "./tools.ts";

export interface WriteCall {
  tool: ToolName;
  senderId: string;
  args: Arguments;
  /** Why the arguments do not fit the tool's schema, if they do not. */
  argumentsProblem: string | undefined;
}

/** The store at the time of the call, and what the call's audit entry is about. */
type Asked = Store & { subject: AuditSubject };

/** What becomes of a call: its audit entry, its answer, and what it changes. */
interface Verdict {
  result: AuditResult;
  targetUuid: string | null;
  answer: CallToolResult;
  set: Record<string, unknown>;
  remove: string[];
}

/** Runs a write to its end. Every end but a crash of the store is in the audit log. */
export function performWrite(call: WriteCall): Promise<CallToolResult> {
  return serialised(async () => {
    const store = await readStore();
    const log = salted(store);
    const subject = {
      tool: call.tool,
      senderId: call.senderId,
      argumentsDigest: await argumentsDigest(log.salt, call.args),
    };
    const verdict = await judge(call, { ...store, subject });
    const change = () => commit(log, subject, verdict, verdict);
    await (verdict.result === "ok" ? withSync(change) : change());
    if (verdict.result === "pending") await refreshBadge();
    return verdict.answer;
  });
}

function refusal(call: WriteCall, result: AuditResult, answer: CallToolResult): Verdict {
  const targetUuid = isUuid(call.args.uuid) ? call.args.uuid : null;
  return { result, targetUuid, answer, set: {}, remove: [] };
}

async function judge(call: WriteCall, store: Asked): Promise<Verdict> {
  const denied = callRefusal(store, call.senderId) ?? writeRefusal(store.policy);
  if (denied) return refusal(call, "denied", denied);
  if (call.argumentsProblem) {
    return refusal(call, "error", failureResult("invalid_args", call.argumentsProblem));
  }
  const lacking = await lackingCapability(call);
  if (lacking) return refusal(call, "error", failureResult("not_ready", lacking));
  return admit(call, await planOf(call, store));
}

/** Only switching a script on needs the browser's permission: everything else works on the store. */
async function lackingCapability(call: WriteCall): Promise<string | undefined> {
  const needed = call.tool === "set_script_enabled" && call.args.enabled === true;
  return needed ? notReadyReason() : undefined;
}

/** The window counts what is going to be stored, never a refusal; its entry is stored before the write. */
async function admit(call: WriteCall, plan: Plan): Promise<Verdict> {
  if (plan.kind === "failed") return refusal(call, "error", failureResult("invalid_args", plan.message));
  const admission = await countWrite(call.senderId, Date.now());
  if (!admission.admitted) return refusal(call, "rate_limited", rateLimited(admission.waitSeconds));
  const result = plan.kind === "queued" ? "pending" : "ok";
  return {
    result,
    targetUuid: plan.targetUuid,
    answer: dataResult(plan.data),
    set: plan.set,
    remove: plan.remove,
  };
}

function rateLimited(seconds: number): CallToolResult {
  const { writesPerWindow, writeWindowMs } = LUMO_LIMITS;
  const allowance = `${writesPerWindow.value} writes in ${writeWindowMs.value / 1_000} seconds`;
  return failureResult("rate_limited", `${allowance} are used up. Try again in ${seconds} seconds.`);
}

async function planOf(call: WriteCall, store: Asked): Promise<Plan> {
  const { tool, args } = call;
  const { scripts, reviews, policy, subject } = store;
  const context: ChangeContext = { scripts, reviews, review: policy.review, byPerson: false, subject };
  const uuid = String(args.uuid);
  if (tool === "create_script") return planCreate(context, String(args.source));
  if (tool === "update_script") return planUpdate(context, uuid, String(args.source), Number(args.version));
  if (tool === "delete_script") return planDelete(context, uuid);
  return planEnable(context, uuid, args.enabled === true);
}
