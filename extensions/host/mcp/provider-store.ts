/** What the worker stores about providers, and reads back as foreign input. */
import { isExtensionId, isRecord, PROVIDERS_KEY } from "../../contract/lumo.ts";
import { NAMESPACE_OWNERS_KEY, OFFERED_PROVIDERS_KEY } from "../../contract/providers.ts";
import type { Owners } from "./catalogue.ts";
import type { StoredSession } from "./provider-session.ts";

/** Characters of a stored id that is none. */
const MAX_SHOWN = 100;

export interface ProviderBook {
  /** In the order in which they were added. May hold what is no extension id: it is shown as such. */
  ids: string[];
  offered: Set<string>;
  owners: Owners;
}

export function parseIds(stored: unknown): string[] {
  if (!Array.isArray(stored)) return [];
  const texts = stored.map((id: unknown) => (typeof id === "string" ? id : (JSON.stringify(id) ?? "")));
  return [...new Set(texts.map((id) => id.slice(0, MAX_SHOWN)))];
}

export function parseOwners(stored: unknown): Owners {
  if (!isRecord(stored)) return new Map();
  const pairs = Object.entries(stored);
  return new Map(pairs.filter((pair): pair is [string, string] => isExtensionId(pair[1])));
}

export async function readBook(): Promise<ProviderBook> {
  const keys = [PROVIDERS_KEY, OFFERED_PROVIDERS_KEY, NAMESPACE_OWNERS_KEY];
  const local = await chrome.storage.local.get<Record<string, unknown>>(keys);
  return {
    ids: parseIds(local[PROVIDERS_KEY]),
    offered: new Set(parseIds(local[OFFERED_PROVIDERS_KEY]).filter(isExtensionId)),
    owners: parseOwners(local[NAMESPACE_OWNERS_KEY]),
  };
}

export function storeIds(ids: readonly string[]): Promise<void> {
  return chrome.storage.local.set({ [PROVIDERS_KEY]: ids });
}

export function storeOffered(offered: ReadonlySet<string>): Promise<void> {
  return chrome.storage.local.set({ [OFFERED_PROVIDERS_KEY]: [...offered] });
}

export function storeOwners(owners: Owners): Promise<void> {
  return chrome.storage.local.set({ [NAMESPACE_OWNERS_KEY]: Object.fromEntries(owners) });
}

function sessionKey(id: string): string {
  return `providerSession:${id}`;
}

export async function readSession(id: string): Promise<unknown> {
  const key = sessionKey(id);
  return (await chrome.storage.session.get<Record<string, unknown>>(key))[key];
}

/** Where the store is full the tools are left out: they are listed again at the next need. */
export async function storeSession(id: string, session: StoredSession): Promise<void> {
  const key = sessionKey(id);
  try {
    await chrome.storage.session.set({ [key]: session });
  } catch {
    await chrome.storage.session.set({ [key]: { ...session, listing: undefined } });
  }
}

export function forgetSession(id: string): Promise<void> {
  return chrome.storage.session.remove(sessionKey(id));
}
