/** The postMessage channel between the MAIN world's MCP server and the isolated world's client (spec chain.md §1). */

/** Shared with `@mcp-b/*`: a page's own server and clients listen on it too. */
export const TAB_CHANNEL = "mcp-default";

/** Ids of our client's requests start so; our server alone answers them. */
export const CLIENT_ID_PREFIX = "webmcp-e2e:";

/** `serverInfo.name` of our MAIN world server. */
export const PAGE_SERVER_NAME = "webmcp-e2e-page";

/** Key in `capabilities.experimental` that carries `{runtime}`. */
export const RUNTIME_CAPABILITY = "webmcp-e2e";

/** Key in a call's `_meta`: how long a form tool without autosubmit may stay open, in milliseconds. */
export const FORM_WAIT_META = "webmcp-e2e/formWait";

/** MCP revisions whose `initialize` and tool methods both ends speak, the newest first. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export const CHECK_READY = "mcp-check-ready";
export const SERVER_READY = "mcp-server-ready";
export const SERVER_STOPPED = "mcp-server-stopped";

export type Direction = "client-to-server" | "server-to-client";

/** `from` is ours: it tells our server's ready from another one's. Other parties ignore it. */
export interface Envelope {
  channel: typeof TAB_CHANNEL;
  type: "mcp";
  direction: Direction;
  payload: unknown;
  from?: string;
}

export function envelope(direction: Direction, payload: unknown, from?: string): Envelope {
  return { channel: TAB_CHANNEL, type: "mcp", direction, payload, ...(from === undefined ? {} : { from }) };
}

/** The envelope of a message event of this window and origin, or `undefined` for anything else. */
export function readEnvelope(event: MessageEvent, direction: Direction): Envelope | undefined {
  if (event.source !== window || event.origin !== window.origin) return undefined;
  const data: unknown = event.data;
  if (typeof data !== "object" || data === null) return undefined;
  const { channel, type, direction: way } = data as Partial<Envelope>;
  return channel === TAB_CHANNEL && type === "mcp" && way === direction ? (data as Envelope) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a payload is a request of our client, or a cancellation of one. */
export function isOurs(payload: unknown): boolean {
  if (!isRecord(payload)) return false;
  const params = isRecord(payload.params) ? payload.params : {};
  const id = payload.method === "notifications/cancelled" ? params.requestId : payload.id;
  return typeof id === "string" && id.startsWith(CLIENT_ID_PREFIX);
}
