/**
 * The extension protocol between a host (the extension with the agent) and a provider (any extension that serves
 * tools): fixed names, limits and the L0 messages. Mirrored by `webmcp_e2e.lumo`; a test compares the two.
 */
export const PROBE_CHANNEL = "lumo:probe";
export const PORT_NAME = "lumo:mcp";
export const PROBE_VERSION = 1;
export const PROBE_TIMEOUT_MS = 1_500;
/** The one MCP revision of L1: the last that opens with `initialize`. */
export const MCP_REVISION = "2025-11-25";
/** Key in the host's `chrome.storage.local`: provider ids in the order in which they were added. */
export const PROVIDERS_KEY = "providers";

/** Every bound of the protocol, each with its reason. Characters are Unicode code points. */
export const LUMO_LIMITS = {
  toolsPerProvider: { value: 64, reason: "keeps the catalogue that a model sees bounded" },
  namespaceChars: { value: 16, reason: "leaves room for the tool's name" },
  toolNameChars: { value: 40, reason: "a provider can check it without knowing any host" },
  combinedChars: {
    value: 57,
    reason: "with ext__ in front at most 62: below the 64 of the model APIs' function names",
  },
  textChars: { value: 200, reason: "a foreign text in the panel stays a sentence" },
  pendingApprovals: { value: 20, reason: "a person can still read the list; the oldest makes room" },
  bufferedMessages: { value: 64, reason: "nobody needs more before authorization is decided" },
  bufferedBytes: { value: 1_048_576, reason: "a stranger may not fill the worker's memory" },
  auditEntries: { value: 1_000, reason: "a ring that one storage write can carry" },
  writesPerWindow: { value: 30, reason: "a person can still follow what an agent changes" },
  writeWindowMs: { value: 60_000, reason: "slides, so that a minute's edge gives no second helping" },
} as const satisfies Record<string, { value: number; reason: string }>;

export type LumoLimit = keyof typeof LUMO_LIMITS;

/** The only validator of extension ids: manual entry, storage, import and messages all use it. */
export function isExtensionId(value: unknown): value is string {
  return typeof value === "string" && /^[a-p]{32}$/.test(value);
}

/** The text, cut at the limit of foreign texts without splitting a character. */
export function cutText(text: string): string {
  const max = LUMO_LIMITS.textChars.value;
  return text.length <= max ? text : [...text].slice(0, max).join("");
}

/** Who asks, in its own words: for display only, never for a decision. */
export interface ProbeClient {
  id: string;
  name: string;
  version: string;
}

export interface ProbeRequest {
  channel: typeof PROBE_CHANNEL;
  version: number;
  /** The host's own mark of this probe. */
  id: string;
  client: ProbeClient;
}

/** `namespace` names the provider's tools; `name` is for display only. */
export interface ProbeService {
  namespace: string;
  name: string;
  version: string;
}

export interface ProbeStatus {
  enabled: boolean;
  authorized: boolean;
  ready: boolean;
  pendingApproval: boolean;
  /** The provider's own text for `ready:false`. */
  reason?: string;
}

export const PROBE_ERROR_CODES = ["unsupported_version", "bad_request", "internal"] as const;
export type ProbeErrorCode = (typeof PROBE_ERROR_CODES)[number];

export interface ProbeFailure {
  ok: false;
  error: { code: ProbeErrorCode; message: string };
}

/** `ok:true` also for every policy failure; `ok:false` for protocol failures only. */
export type ProbeAnswer = { ok: true; service: ProbeService; status: ProbeStatus } | ProbeFailure;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function haveType(
  from: Record<string, unknown>,
  type: "string" | "boolean",
  members: readonly string[],
): boolean {
  return members.every((member) => typeof from[member] === type);
}

/** Whether a message is meant for this protocol at all; any other is left alone. */
export function isProbe(message: unknown): message is { channel: typeof PROBE_CHANNEL } {
  return isRecord(message) && message.channel === PROBE_CHANNEL;
}

function failure(code: ProbeErrorCode, message: string): ProbeFailure {
  return { ok: false, error: { code, message } };
}

/** A message that `isProbe` accepted, as a request, or the failure to answer it with. Unknown members are dropped. */
export function parseProbeRequest(message: Record<string, unknown>): ProbeRequest | ProbeFailure {
  const { version, id, client } = message;
  if (typeof version !== "number") return failure("bad_request", "version must be a number. Send version 1.");
  if (version !== PROBE_VERSION) {
    return failure(
      "unsupported_version",
      `Probe version ${version} is not spoken here. Send version ${PROBE_VERSION}.`,
    );
  }
  if (typeof id !== "string" || id === "")
    return failure("bad_request", "id must be a non-empty string. Send one.");
  if (!isRecord(client) || !haveType(client, "string", ["id", "name", "version"])) {
    return failure("bad_request", "client must be {id, name, version}, all strings. Send all three.");
  }
  const { id: clientId, name, version: clientVersion } = client as unknown as ProbeClient;
  return { channel: PROBE_CHANNEL, version, id, client: { id: clientId, name, version: clientVersion } };
}

/** The service of an answer, or `undefined` where it is missing or mistyped. */
export function parseService(value: unknown): ProbeService | undefined {
  if (!isRecord(value) || !haveType(value, "string", ["namespace", "name", "version"])) return undefined;
  const { namespace, name, version } = value as unknown as ProbeService;
  return { namespace, name, version };
}

/** The status of an answer, or `undefined` where it is missing or any member is mistyped. */
export function parseStatus(value: unknown): ProbeStatus | undefined {
  const flags = ["enabled", "authorized", "ready", "pendingApproval"];
  if (!isRecord(value) || !haveType(value, "boolean", flags)) return undefined;
  if (value.reason !== undefined && typeof value.reason !== "string") return undefined;
  const { enabled, authorized, ready, pendingApproval, reason } = value as unknown as ProbeStatus;
  return { enabled, authorized, ready, pendingApproval, ...(reason === undefined ? {} : { reason }) };
}
