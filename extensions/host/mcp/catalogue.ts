/** Which provider owns which namespace, and which of its tools are in the one catalogue under which name. */
import type { ProbeService } from "../../contract/lumo.ts";
import { admitTools, modelName, NAME_RULES, namespaceProblem } from "../../contract/lumo-names.ts";
import {
  PROVIDER_PREFIX,
  type ProviderState,
  type ProviderTool,
  type RejectedProviderTool,
} from "../../contract/providers.ts";
import { type Listing, NAMED_REJECTIONS } from "./listing.ts";

/** What the catalogue must know of a provider. */
export interface Shelved {
  readonly id: string;
  readonly state: ProviderState;
  /** A probe is under way. */
  readonly checking: boolean;
  readonly service?: ProbeService | undefined;
  readonly listing?: Listing | undefined;
}

export interface Shelf {
  tools: ProviderTool[];
  rejected: RejectedProviderTool[];
  moreRejected: number;
}

/** Namespace → provider id. */
export type Owners = ReadonlyMap<string, string>;

/** Whether a provider in this state has tools to offer. `not_ready` keeps them: `ready` is no permission. */
export function offersTools(state: ProviderState): boolean {
  return state.state === "connected" || (state.state === "error" && state.code === "not_ready");
}

/**
 * The owners, with the namespaces that become theirs now. `providers` in the order of the list: it decides, not who
 * answers first, so a provider that is still being asked for the first time holds up those after it.
 */
export function claimNamespaces(providers: readonly Shelved[], owners: Owners): Owners {
  const claimed = new Map(owners);
  for (const { id, state, checking, service } of providers) {
    if (state.state === "unknown" && checking) break;
    if (!service || !offersTools(state) || claimed.has(service.namespace)) continue;
    if (namespaceProblem(service.namespace) === undefined) claimed.set(service.namespace, id);
  }
  return claimed;
}

/** One provider's part of the catalogue. */
export function shelve(provider: Shelved, owners: Owners): Shelf {
  const { id, state, service, listing } = provider;
  const shelf: Shelf = { tools: [], rejected: [], moreRejected: 0 };
  if (!service || !listing || !offersTools(state)) return shelf;
  const { namespace } = service;
  const owner = owners.get(namespace);
  // Nobody owns it yet: an earlier provider is still being asked.
  if (owner === undefined && namespaceProblem(namespace) === undefined) return shelf;
  const admission = admitTools(
    { id, namespace, owner },
    listing.entries.map((entry) => entry.name),
  );
  for (const { index, rule } of admission.rejected) {
    shelf.rejected.push({ name: listing.entries[index]!.name, rule, text: NAME_RULES[rule] });
  }
  for (const index of admission.accepted) put(shelf, namespace, listing, index);
  return cut(shelf, listing.total - listing.entries.length);
}

function put(shelf: Shelf, namespace: string, listing: Listing, index: number): void {
  const { name, tool, fault = "" } = listing.entries[index]!;
  if (tool) shelf.tools.push({ publicName: modelName(namespace, name), tool });
  else shelf.rejected.push({ name, rule: "shape", text: fault });
}

function cut(shelf: Shelf, unnamed: number): Shelf {
  const beyond = shelf.rejected.splice(NAMED_REJECTIONS).length;
  return { ...shelf, moreRejected: beyond + unnamed };
}

/** The namespace in a public name: it holds no `__` and does not end in `_`, so the first one ends it. */
export function namespaceOf(publicName: string): string | undefined {
  if (!publicName.startsWith(PROVIDER_PREFIX)) return undefined;
  const rest = publicName.slice(PROVIDER_PREFIX.length);
  const end = rest.indexOf("__");
  return end > 0 ? rest.slice(0, end) : undefined;
}
