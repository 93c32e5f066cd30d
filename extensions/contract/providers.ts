/** Provider extensions as the host's worker offers them to the panel, and what the panel asks of them. */
import type { ProbeService } from "./lumo.ts";
import type { NameRule } from "./lumo-names.ts";
import type { HostErrorCode, HostState, INVALID_ID } from "./lumo-state.ts";
import type { PageTool } from "./page-tools.ts";

/** `chrome.storage.local`: ids of the providers whose tools are offered to MCP clients; none by default. */
export const OFFERED_PROVIDERS_KEY = "providersOverRelay";
/** `chrome.storage.local`: namespace → id of the provider that had it first. */
export const NAMESPACE_OWNERS_KEY = "providerNamespaces";

/** Model-visible names of provider tools start so. */
export const PROVIDER_PREFIX = "ext__";

export type ProviderCode = HostErrorCode | typeof INVALID_ID.code;

/** `unknown`: not probed yet in this browser session. */
export type ProviderState =
  | { state: "unknown" }
  | HostState
  | { state: "error"; code: typeof INVALID_ID.code; text: string; service?: undefined };

/** `shape`: the entry is no tool, or one of its members breaks a bound. */
export type RejectionRule = NameRule | "shape";

/** A tool that was not taken over. `text`: the rule in words. */
export interface RejectedProviderTool {
  name: string;
  rule: RejectionRule;
  text: string;
}

/** `tool.name` is the provider's own name. */
export interface ProviderTool {
  publicName: string;
  tool: PageTool;
}

/** One provider of the list, in the order in which they were added. */
export interface ProviderView {
  /** As stored: may be no extension id at all, then the state is `invalid_id`. */
  id: string;
  /** A probe or a connection is under way; `state` is the last known. */
  checking: boolean;
  /** Epoch milliseconds of the end of the last check. */
  checkedAt?: number;
  state: ProviderState["state"];
  code?: ProviderCode;
  text?: string;
  /** In the provider's own words, cut. */
  service?: ProbeService;
  /** Greyed while the code is `not_ready`: listed and callable, but the provider says that it cannot serve them. */
  tools: ProviderTool[];
  rejected: RejectedProviderTool[];
  /** Rejected tools beyond those named. */
  moreRejected: number;
  /** The probe passed, but the MCP session failed: what happened and what to do. */
  problem?: string;
  /** Offered to MCP clients through the relay. */
  offered: boolean;
}

export type ProviderRequest =
  | { type: "panel/addProviders"; ids: string[] }
  | { type: "panel/removeProvider"; id: string }
  | { type: "panel/retryProvider"; id: string }
  | { type: "panel/offerProvider"; id: string; offered: boolean };

/** Answer to `panel/addProviders`: what was not added, for it is no extension id. */
export interface AddedProviders {
  refused: string[];
}
