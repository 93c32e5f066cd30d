/** Side panel ↔ service worker: requests by `runtime.sendMessage`, the relay's live state over a port. */
import type { ErrorCode, ToolResult } from "./errors.ts";
import type { PageTool } from "./page-tools.ts";
import type { AddedProviders, ProviderRequest, ProviderView } from "./providers.ts";
import type { SettingsProblem } from "./settings.ts";

/** `runtime.connect` of a panel. The worker answers with the state of each kind, and tells every change. */
export const PANEL_PORT = "webmcp-panel";

export type PanelPush =
  | { kind: "relay"; status: RelayStatus }
  | { kind: "providers"; providers: ProviderView[] }
  /** What the worker remembers, oldest first; told to a panel that connects. */
  | { kind: "calls"; calls: RelayCall[] }
  /** A call that begins, and again when it has ended. */
  | { kind: "call"; call: RelayCall };

/** Calls that the panel and the worker remember. */
export const RELAY_CALL_RING = 100;

/** A call that came over the relay. */
export interface RelayCall {
  key: string;
  /** `RelaySourceStatus.id`. */
  source: string;
  /** The tool's own name, as the relay's client or the page chose it. */
  tool: string;
  /** JSON, cut. */
  args: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Of a call that has ended. */
  milliseconds?: number;
  /** `ok`, `error` of the tool itself, or a code of the chain; `undefined` while it runs. */
  outcome?: "ok" | "error" | ErrorCode;
}

/** The ring with a call at its end, or in place of what it was before. */
export function withCall(ring: readonly RelayCall[], call: RelayCall): RelayCall[] {
  const place = ring.findLastIndex(({ key }) => key === call.key);
  return place < 0 ? [...ring, call].slice(-RELAY_CALL_RING) : ring.with(place, call);
}

/** Broadcast of a fresh worker: a panel whose port fell with the old one connects again. */
export const WORKER_STARTED = "webmcp/worker-started";

export type PanelRequest =
  | { type: "panel/opened"; windowId: number }
  | { type: "panel/select"; tabIds: number[] }
  | { type: "panel/reconnect" }
  | { type: "panel/builtins" }
  | { type: "panel/callTool"; callId: string; name: string; args: Record<string, unknown> }
  | { type: "panel/cancelTool"; callId: string }
  | ProviderRequest;

/** Over the panel's port: tabs with a call of this panel in flight. They stay selected when another panel opens. */
export interface PanelCalls {
  type: "panel/calls";
  tabIds: number[];
}

/**
 * Answers: `panel/callTool` (a built-in's name or a provider tool's public one) a ToolResult, `panel/builtins` the
 * tools, `panel/addProviders` what was refused, the others nothing but "done".
 */
export type PanelAnswer = ToolResult | { tools: PageTool[] } | AddedProviders | { done: true };

/**
 * `off` switched off · `invalid` settings that cannot be used · `scanning` looking through the range ·
 * `connecting` to a known endpoint · `connected` at least one source is up · `waiting` for the next alarm ·
 * `rejected` the relay wants none of our sources.
 */
export type RelayPhase = "off" | "invalid" | "scanning" | "connecting" | "connected" | "waiting" | "rejected";

export interface RelaySourceStatus {
  /** A tab's id as text, or `extension`. */
  id: string;
  up: boolean;
  /** Tools told to the relay. */
  tools: number;
  /** Tools left out because the relay's frame limit had no room for them. */
  dropped: number;
  rejected?: string;
}

export interface RelayStatus {
  phase: RelayPhase;
  host: string;
  ports: [number, number];
  problem?: SettingsProblem;
  /** Of the relay that is connected. */
  relay?: { port: number; relayId: string; label?: string; workspace?: string };
  /** Epoch milliseconds of the next alarm, while `waiting` or `rejected`. */
  nextTryAt?: number;
  sources: RelaySourceStatus[];
}
