/** Carries out what the person decides on the provider's page. */
import { argumentsDigest } from "../contract/lumo-audit.ts";
import { type AuditSubject, salted } from "./agent/audit.ts";
import { accessItems, approve, forget, readAccess, refuse } from "./agent/policy.ts";
import { commit, readStore, type Store } from "./agent/store.ts";
import { refreshBadge } from "./badge.ts";
import { type PageAnswer, type PageRequest, parsePageRequest } from "./requests.ts";
import { serialisedFirst } from "./serial.ts";
import {
  type ChangeContext,
  type Plan,
  planApproveSource,
  planCreate,
  planDelete,
  planEnable,
  planUpdate,
} from "./userscripts/changes.ts";
import { proposalKey, type Review, readSource } from "./userscripts/model.ts";
import { syncRegistrations, withSync } from "./userscripts/registration.ts";
import { planApprove, planRefuse } from "./userscripts/reviews.ts";

type ScriptRequest = Extract<PageRequest, { type: `script/${string}` }>;
type SenderRequest = Extract<PageRequest, { type: `sender/${string}` }>;
type ReviewRequest = Extract<PageRequest, { type: `review/${string}` }>;

/** Listener of `onMessage`: only documents of this extension are heard. */
export function onPageRequest(
  message: unknown,
  sender: chrome.runtime.MessageSender,
  sendResponse: (answer: PageAnswer) => void,
): boolean {
  const request = parsePageRequest(message);
  if (!request || !sender.url?.startsWith(chrome.runtime.getURL(""))) return false;
  serialisedFirst(() => carryOut(request).finally(refreshBadge)).then(sendResponse, (error) =>
    sendResponse({ ok: false, message: String(error) }),
  );
  return true;
}

async function carryOut(request: PageRequest): Promise<PageAnswer> {
  switch (request.type) {
    case "policy/set":
      return setPolicy(request.name, request.on);
    case "registrations/sync":
      await syncRegistrations();
      return { ok: true };
    case "sender/approve":
    case "sender/refuse":
    case "sender/forget":
      return decideSender(request);
    case "review/approve":
    case "review/refuse":
      return decideReview(request);
    default:
      return changeScript(request);
  }
}

async function setPolicy(name: "endpoint" | "write" | "review", on: boolean): Promise<PageAnswer> {
  const access = await readAccess();
  const items = accessItems({ ...access, policy: { ...access.policy, [name]: on } });
  const change = () => chrome.storage.local.set(items);
  // review decides which scripts may run
  await (name === "review" ? withSync(change) : change());
  return { ok: true };
}

async function decideSender(request: SenderRequest): Promise<PageAnswer> {
  const access = await readAccess();
  const now = new Date().toISOString();
  const next = {
    "sender/approve": () => approve(access, request.id, now),
    "sender/refuse": () => refuse(access, request.id, now),
    "sender/forget": () => forget(access, request.id),
  }[request.type]();
  await chrome.storage.local.set(accessItems(next));
  return { ok: true };
}

function contextOf(store: Store, subject: AuditSubject): ChangeContext {
  return { scripts: store.scripts, reviews: store.reviews, review: false, byPerson: true, subject };
}

/** The name under which the person's own change is in the audit log. */
const AUDIT_NAMES: Record<ScriptRequest["type"], string> = {
  "script/create": "create_script",
  "script/update": "update_script",
  "script/delete": "delete_script",
  "script/enable": "set_script_enabled",
  "script/approve": "approve_script",
};

async function changeScript(request: ScriptRequest): Promise<PageAnswer> {
  const store = await readStore();
  const log = salted(store);
  const { type, ...args } = request;
  const digest = await argumentsDigest(log.salt, args);
  const subject = { tool: AUDIT_NAMES[type], senderId: chrome.runtime.id, argumentsDigest: digest };
  const plan = await planOf(request, contextOf(store, subject));
  if (plan.kind === "failed") return { ok: false, message: plan.message };
  await withSync(() => commit(log, subject, { result: "ok", targetUuid: plan.targetUuid }, plan));
  return { ok: true, uuid: plan.targetUuid };
}

async function planOf(request: ScriptRequest, context: ChangeContext): Promise<Plan> {
  switch (request.type) {
    case "script/create":
      return planCreate(context, request.source);
    case "script/update":
      return planUpdate(context, request.uuid, request.source, request.version);
    case "script/delete":
      return planDelete(context, request.uuid);
    case "script/enable":
      return planEnable(context, request.uuid, request.enabled);
    case "script/approve":
      return planApproveSource(context, request.uuid, request.digest);
  }
}

async function decideReview(request: ReviewRequest): Promise<PageAnswer> {
  const store = await readStore();
  const review = store.reviews.find((one) => one.id === request.id);
  if (!review) return { ok: false, message: "This change was decided already." };
  const { tool, senderId, argumentsDigest: digest } = review;
  const subject = { tool, senderId, argumentsDigest: digest };
  const plan = await decisionOf(request, contextOf(store, subject), review);
  const problem = typeof plan.data.failed === "string" ? plan.data.failed : undefined;
  const result = request.type === "review/refuse" ? "refused" : problem ? "error" : "approved";
  await withSync(() => commit(salted(store), subject, { result, targetUuid: review.uuid }, plan));
  return result === "error" ? { ok: false, message: problem ?? "" } : { ok: true };
}

async function decisionOf(
  request: ReviewRequest,
  context: ChangeContext,
  review: Review,
): Promise<Plan & { kind: "done" }> {
  if (request.type === "review/refuse") return planRefuse(context, review);
  return planApprove(context, review, await readSource(proposalKey(review.id)));
}
