/** Port `webmcp-page-tools`: side panel or service worker ↔ content script (spec chain.md §2). */
import type { ErrorCode, Executed, ToolResult } from "./errors.ts";

export const PAGE_TOOLS_PORT = "webmcp-page-tools";

/** A tool as the page registered it; `name` is the page's own. */
export interface PageTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A tool that was not taken over, and by which rule: nothing is dropped silently. */
export interface RejectedTool {
  name: string;
  rule: string;
}

export type PageState = "connecting" | "ready" | "none";

/** How the page's tools come about; said in the panel (the polyfill sees the top frame only). */
export type PageRuntime = "native" | "polyfill";

/** `id`: the opener's own, counted up per port. Each request gets exactly one answer. */
export type PageRequest =
  | { id: number; type: "listTools" }
  | { id: number; type: "callTool"; name: string; args: Record<string, unknown> }
  | { id: number; type: "cancel"; target: number };

/** Sent by the worker only: whether it holds a relay socket for this tab. No answer. */
export interface RelayHeld {
  type: "relayHeld";
  held: boolean;
}

/** The development overrides of `webmcpTimings`, sent right after the port was opened where there are any. No answer. */
export interface TimingsMessage {
  type: "timings";
  overrides: Record<string, unknown>;
}

/** Everything that an opener of the port may send. */
export type PageMessage = PageRequest | RelayHeld | TimingsMessage;

/** While the handshake runs: no tools, state `connecting`. */
export interface ListResult {
  tools: PageTool[];
  state: PageState;
  reason?: string;
  rejected: RejectedTool[];
  runtime?: PageRuntime;
}

export interface PortError {
  code: ErrorCode;
  message: string;
  executed: Executed;
}

/**
 * `listTools` → ListResult; `callTool` → ToolResult; `cancel` → `{}`, also for a target that is unknown or done
 * (the cancelled call itself is answered with code `cancelled`).
 */
export type PageAnswer =
  | { id: number; ok: true; result: ListResult | ToolResult | Record<string, never> }
  | { id: number; ok: false; error: PortError };

/** A new port gets `state` at once, and `toolsChanged` where the page is ready; then whenever either changes. */
export type PageNotification =
  | { type: "toolsChanged"; tools: PageTool[]; rejected: RejectedTool[] }
  | { type: "state"; state: PageState; reason?: string; runtime?: PageRuntime };

/** Everything that the content script sends. */
export type PortOutput = PageAnswer | PageNotification;

/**
 * `chrome.runtime.sendMessage({type: WAKE_MESSAGE})`: wakes the worker that held a relay socket for this tab. It answers
 * `{awake: true}` once its port to the tab is open again; without that answer the message is repeated a few times.
 */
export const WAKE_MESSAGE = "webmcp/wake";
