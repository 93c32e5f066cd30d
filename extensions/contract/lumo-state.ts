/** The host's state machine: what a probe came to, and what the user reads. Mirrored by `webmcp_e2e.lumo.rules`. */
import {
  cutText,
  isRecord,
  PROBE_TIMEOUT_MS,
  type ProbeService,
  type ProbeStatus,
  parseService,
  parseStatus,
} from "./lumo.ts";

/** The table, in the order in which it is checked; the first match wins. */
export const HOST_ERROR_TEXTS = {
  not_installed: "Extension not installed, or it has no agent endpoint",
  timeout: `Probe timed out after ${PROBE_TIMEOUT_MS} ms`,
  /** Used where the error brings no message of its own. */
  protocol_error: "Protocol error",
  incomplete: "Probe response is incomplete",
  disabled: "Agent access is turned off in the provider",
  pending_approval: "Waiting for your approval in the provider",
  not_authorized: "This extension is not on the provider's allowlist",
  /** Used where the provider gives no reason. */
  not_ready: "The provider is not ready",
} as const;

export type HostErrorCode = keyof typeof HOST_ERROR_TEXTS;

/** Answer to an id that must never reach Chrome. */
export const INVALID_ID = {
  code: "invalid_id",
  text: "An extension id is 32 letters from a to p. Copy it from chrome://extensions",
} as const;

/** What `chrome.runtime.sendMessage` came to. */
export type ProbeOutcome =
  | { kind: "rejected"; message: string }
  | { kind: "timeout" }
  | { kind: "answer"; value: unknown };

export type HostState =
  | { state: "connected"; service: ProbeService }
  | { state: "error"; code: HostErrorCode; text: string; service?: ProbeService };

/**
 * The provider's worker died in the probe: it resolved with `undefined`, or the channel closed after the listener had
 * promised an answer. Such an outcome is probed once more, and only the second one counts.
 */
export function diedInProbe(outcome: ProbeOutcome): boolean {
  if (outcome.kind === "rejected") return outcome.message.includes("message channel closed");
  return outcome.kind === "answer" && outcome.value === undefined;
}

function error(code: HostErrorCode, text?: unknown, service?: ProbeService): HostState {
  const own = typeof text === "string" && text !== "" ? cutText(text) : HOST_ERROR_TEXTS[code];
  return { state: "error", code, text: own, ...(service ? { service } : {}) };
}

/** Rows 5 to 9. */
export function classifyStatus(service: ProbeService, status: ProbeStatus): HostState {
  if (!status.enabled) return error("disabled", undefined, service);
  if (!status.authorized) {
    return error(status.pendingApproval ? "pending_approval" : "not_authorized", undefined, service);
  }
  return status.ready ? { state: "connected", service } : error("not_ready", status.reason, service);
}

function classifyAnswer(value: unknown): HostState {
  if (!isRecord(value)) return error("incomplete");
  if (value.ok === false)
    return error("protocol_error", isRecord(value.error) ? value.error.message : undefined);
  const service = parseService(value.service);
  const status = parseStatus(value.status);
  return value.ok === true && service && status ? classifyStatus(service, status) : error("incomplete");
}

/** The state of a provider after its (second) probe. Never throws. */
export function classify(outcome: ProbeOutcome): HostState {
  if (outcome.kind === "rejected") return error("not_installed");
  return outcome.kind === "timeout" ? error("timeout") : classifyAnswer(outcome.value);
}
