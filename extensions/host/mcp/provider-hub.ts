/** The single owner of provider sessions: the list, the one catalogue, and every call to a provider. */
import type { ToolResult } from "../../contract/errors.ts";
import { cutText, isExtensionId, PROVIDERS_KEY } from "../../contract/lumo.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { OFFERED_PROVIDERS_KEY, type ProviderTool, type ProviderView } from "../../contract/providers.ts";
import { claimNamespaces, namespaceOf, type Owners, type Shelf, shelve } from "./catalogue.ts";
import { invalidId } from "./probe.ts";
import { callProvider } from "./provider-call.ts";
import { unknownProviderTool } from "./provider-errors.ts";
import { ProviderSession } from "./provider-session.ts";
import {
  forgetSession,
  readBook,
  readSession,
  storeIds,
  storeOffered,
  storeOwners,
  storeSession,
} from "./provider-store.ts";

export interface HubOptions {
  /** Milliseconds for each step of a handshake. */
  patience(): number;
  /** Something that the panel shows has changed. */
  changed(): void;
  /** What is offered to MCP clients may have changed. */
  offerChanged(): void;
}

type Changes = { [key: string]: chrome.storage.StorageChange };

export class ProviderHub {
  /** In the order of the list. */
  private sessions = new Map<string, ProviderSession>();
  private shelves = new Map<string, Shelf>();
  private offered = new Set<string>();
  private owners: Owners = new Map();
  private readonly remembered = new Map<string, string>();
  /** Changes of the list run one after the other: each reads what is stored. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: HubOptions) {}

  /** Goes on from what earlier workers stored; wakes no provider. */
  async start(): Promise<void> {
    const book = await readBook();
    this.offered = book.offered;
    this.owners = book.owners;
    await this.arrange(book.ids);
    this.shelveAll();
  }

  get views(): ProviderView[] {
    return [...this.sessions.values()].map((session) => this.view(session));
  }

  /** Tools of the providers that are offered to MCP clients, under their public names. */
  get offeredTools(): PageTool[] {
    const shelves = [...this.sessions.keys()]
      .filter((id) => this.offered.has(id))
      .map((id) => this.shelf(id));
    return shelves.flatMap((shelf) =>
      shelf.tools.map(({ publicName, tool }) => ({ ...tool, name: publicName })),
    );
  }

  /** The panel was opened: every provider is asked anew. */
  refreshAll(): void {
    for (const session of this.sessions.values()) void session.refresh();
  }

  /** A relay is there: what is offered must be known, and is asked for once in a browser session. */
  refreshOffered(): void {
    for (const [id, session] of this.sessions) {
      if (this.offered.has(id) && session.state.state === "unknown") void session.refresh();
    }
  }

  retry(id: string): void {
    void this.sessions.get(id)?.refresh();
  }

  /** Adds at the end; returns what was refused, for it is no extension id. */
  async add(ids: readonly string[]): Promise<string[]> {
    await this.change((stored) => [...stored, ...ids.filter(isExtensionId)]);
    return ids.filter((id) => !isExtensionId(id));
  }

  /** Takes it off the list: its namespace is free again, and another one with its id would not be offered. */
  async remove(id: string): Promise<void> {
    await this.change((stored) => stored.filter((other) => other !== id));
  }

  async offer(id: string, offered: boolean): Promise<void> {
    if (!isExtensionId(id) || !this.sessions.has(id)) return;
    if (offered) this.offered.add(id);
    else this.offered.delete(id);
    await storeOffered(this.offered);
    if (offered) this.refreshOffered();
    this.tell();
  }

  /** The list or the offers were changed by someone else (an import, a test): what is stored is the truth. */
  async localChanged(changes: Changes): Promise<void> {
    if (changes[OFFERED_PROVIDERS_KEY]) this.offered = (await readBook()).offered;
    if (changes[PROVIDERS_KEY]) await this.change((stored) => stored);
    else if (changes[OFFERED_PROVIDERS_KEY]) this.tell();
  }

  /** Calls a tool by its public name; never rejects. A relay may call what is offered, the panel everything. */
  async call(
    publicName: string,
    args: Record<string, unknown>,
    caller: "relay" | "panel",
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const session = this.sessionOf(publicName);
    if (!session || (caller === "relay" && !this.offered.has(session.id))) {
      return unknownProviderTool(publicName);
    }
    const route = {
      opened: () => session.opened(),
      tool: () => this.listed(session.id, publicName)?.tool,
    };
    return callProvider(publicName, route, args, signal);
  }

  /** By the namespace's owner: also while a provider's tools are out of the catalogue, so that it is asked again. */
  private sessionOf(publicName: string): ProviderSession | undefined {
    const owner = this.owners.get(namespaceOf(publicName) ?? "");
    const session = owner === undefined ? undefined : this.sessions.get(owner);
    return session?.service?.namespace === namespaceOf(publicName) ? session : undefined;
  }

  private listed(id: string, publicName: string): ProviderTool | undefined {
    return this.shelf(id).tools.find((entry) => entry.publicName === publicName);
  }

  private shelf(id: string): Shelf {
    return this.shelves.get(id) ?? { tools: [], rejected: [], moreRejected: 0 };
  }

  private change(next: (stored: string[]) => string[]): Promise<void> {
    const run = this.queue.then(() => this.applyChange(next));
    this.queue = run.catch(() => {});
    return run;
  }

  private async applyChange(next: (stored: string[]) => string[]): Promise<void> {
    const { ids } = await readBook();
    const wanted = [...new Set(next(ids))];
    if (wanted.join() !== ids.join()) await storeIds(wanted);
    const added = await this.arrange(wanted);
    for (const session of added) void session.refresh();
    this.sessionsChanged();
  }

  /** Makes the sessions those of `ids`, in that order; returns the new ones. */
  private async arrange(ids: readonly string[]): Promise<ProviderSession[]> {
    for (const [id, session] of this.sessions) if (!ids.includes(id)) await this.drop(session);
    const added = ids.filter((id) => !this.sessions.has(id));
    const made = await Promise.all(added.map((id) => this.make(id)));
    for (const session of made) this.sessions.set(session.id, session);
    this.sessions = new Map(ids.map((id) => [id, this.sessions.get(id)!]));
    return made;
  }

  private async make(id: string): Promise<ProviderSession> {
    const session = new ProviderSession(id, {
      changed: (changed) => this.sessionChanged(changed),
      patience: () => this.options.patience(),
    });
    if (isExtensionId(id)) session.restore(await readSession(id));
    else session.state = invalidId();
    return session;
  }

  private async drop(session: ProviderSession): Promise<void> {
    const { id } = session;
    session.dispose();
    this.sessions.delete(id);
    this.shelves.delete(id);
    this.remembered.delete(id);
    this.owners = new Map([...this.owners].filter(([, owner]) => owner !== id));
    await Promise.all([forgetSession(id), storeOwners(this.owners)]);
    if (this.offered.delete(id)) await storeOffered(this.offered);
  }

  private sessionChanged(session: ProviderSession): void {
    this.remember(session);
    this.sessionsChanged();
  }

  private sessionsChanged(): void {
    this.shelveAll();
    this.tell();
  }

  private tell(): void {
    this.options.changed();
    this.options.offerChanged();
  }

  private remember(session: ProviderSession): void {
    const { stored, id } = session;
    const text = JSON.stringify(stored);
    if (stored.state.state === "unknown" || this.remembered.get(id) === text) return;
    this.remembered.set(id, text);
    void storeSession(id, stored);
  }

  private shelveAll(): void {
    const sessions = [...this.sessions.values()];
    const owners = claimNamespaces(sessions, this.owners);
    if (owners.size !== this.owners.size) void storeOwners(owners);
    this.owners = owners;
    this.shelves = new Map(sessions.map((session) => [session.id, shelve(session, owners)]));
  }

  private view(session: ProviderSession): ProviderView {
    const { id, checking, checkedAt, state, service, problem } = session;
    const error = state.state === "error" ? { code: state.code, text: state.text } : {};
    return {
      id,
      checking,
      ...(checkedAt === undefined ? {} : { checkedAt }),
      state: state.state,
      ...error,
      ...(service ? { service: cutService(service) } : {}),
      ...this.shelf(id),
      ...(problem === undefined || state.state === "unknown" ? {} : { problem: cutText(problem) }),
      offered: this.offered.has(id),
    };
  }
}

function cutService(service: NonNullable<ProviderSession["service"]>): NonNullable<ProviderView["service"]> {
  const { namespace, name, version } = service;
  return { namespace: cutText(namespace), name: cutText(name), version: cutText(version) };
}
