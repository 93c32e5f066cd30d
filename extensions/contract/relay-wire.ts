/** Frames of `webmcp.v1` between service worker and relay (spec chain.md §4). Rows marked † are ours. */
import type { PageTool } from "./page-tools.ts";

export const SUBPROTOCOL = "webmcp.v1";
export const DISCOVERY_SUBPROTOCOL = "webmcp-discovery.v1";
export const RELAY_SERVICE = "webmcp-local-relay";
/** `tabId` of the one source that offers built-ins and switched-on providers. */
export const EXTENSION_SOURCE = "extension";

export interface ServerHello {
  type: "server-hello";
  service: string;
  version: number;
  host: string;
  instanceId: string;
  relayId: string;
  port: number;
  label?: string;
  workspace?: string;
  /** † bytes; where it is missing assume 1,000,000. */
  maxPayload?: number;
}

export type RelayToBrowser =
  | ServerHello
  | { type: "invoke"; callId: string; toolName: string; args?: Record<string, unknown> }
  | { type: "ping" }
  | { type: "reload" }
  | { type: "hello/accepted" }
  | { type: "hello/rejected"; reason: string; message: string }
  | { type: "cancel"; callId: string };

export type BrowserToRelay =
  | { type: "hello"; tabId: string; origin?: string; url?: string; title?: string; iconUrl?: string }
  | { type: "tools/list"; tools: PageTool[] }
  | { type: "tools/changed"; tools: PageTool[] }
  | { type: "result"; callId: string; result: unknown }
  | { type: "pong" }
  | { type: "source/disconnected"; reason?: string };
