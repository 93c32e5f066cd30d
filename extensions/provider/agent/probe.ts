/** L0: says whether this provider can be used, and by whom it was asked first. */
import {
  isProbe,
  type ProbeAnswer,
  type ProbeFailure,
  type ProbeRequest,
  parseProbeRequest,
} from "../../contract/lumo.ts";
import { refreshBadge } from "../badge.ts";
import { serialised } from "../serial.ts";
import { notReadyReason } from "../userscripts/readiness.ts";
import { type Access, accessItems, addPending, isFirstContact, readAccess, standing } from "./policy.ts";
import { service } from "./protocol.ts";
import { speakerOf } from "./speaker.ts";

/** Listener of `onMessageExternal`: takes only messages of the probe's channel and leaves every other alone. */
export function onProbe(
  message: unknown,
  sender: chrome.runtime.MessageSender,
  sendResponse: (answer: ProbeAnswer) => void,
): boolean {
  const senderId = speakerOf(sender);
  if (!isProbe(message) || senderId === undefined) return false;
  answerProbe(message, senderId).then(sendResponse, (error) => sendResponse(internal(error)));
  return true;
}

function internal(error: unknown): ProbeFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, error: { code: "internal", message: `The provider failed: ${message}. Probe again.` } };
}

async function answerProbe(message: Record<string, unknown>, senderId: string): Promise<ProbeAnswer> {
  const request = parseProbeRequest(message);
  if ("ok" in request) return request;
  const [access, reason] = await Promise.all([admitContact(senderId, request), notReadyReason()]);
  const ready = reason === undefined;
  const status = { ...standing(access, senderId), ready, ...(ready ? {} : { reason }) };
  return { ok: true, service: service(), status };
}

/** The access rules after this contact: an unknown sender waits for approval from now on. */
export async function admitContact(senderId: string, request?: ProbeRequest): Promise<Access> {
  const access = await readAccess();
  if (!isFirstContact(access, senderId)) return access;
  return serialised(async () => {
    const latest = await readAccess();
    if (!isFirstContact(latest, senderId)) return latest;
    const name = request?.client.name ?? "";
    const next = addPending(latest, { id: senderId, name, at: new Date().toISOString() });
    await chrome.storage.local.set(accessItems(next));
    await refreshBadge();
    return next;
  });
}
