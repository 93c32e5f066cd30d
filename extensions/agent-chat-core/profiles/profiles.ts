/** The agents that the user can choose. */
import { AgentFailure } from "../errors.ts";
import { Notifier } from "../notifier.ts";
import { isRecord, textOf } from "../parse.ts";
import { Serial } from "../serial.ts";
import { STORE_KEYS, type Store } from "../store.ts";
import { BUILT_IN_AGENTS, DEFAULT_AGENT_ID } from "./built-in.ts";
import { isBuiltIn, type ProfileProblem, parseProfile, profileProblems } from "./parse-profile.ts";
import type { AgentProfile, AgentProfiles } from "./profile.ts";

/** An entry of the user's as it is stored; `profile` is missing where it cannot be used. */
interface OwnEntry {
  stored: unknown;
  profile: AgentProfile | undefined;
}

export class Profiles {
  private readonly notifier = new Notifier();
  private readonly serial = new Serial();
  private own: OwnEntry[] = [];
  private activeId = DEFAULT_AGENT_ID;
  /** The user's rules for every agent that inherits them. */
  globalRules = "";

  private constructor(private readonly store: Store) {}

  /** Built-ins are refreshed; an unusable entry of the user's is not listed, but stays stored as it is. */
  static async open(store: Store): Promise<Profiles> {
    const profiles = new Profiles(store);
    await profiles.reload();
    return profiles;
  }

  /** Built-ins first. */
  get state(): AgentProfiles {
    return { agents: this.agents(), activeAgentId: this.active.id };
  }

  get active(): AgentProfile {
    return this.find(this.activeId) ?? (BUILT_IN_AGENTS[0] as AgentProfile);
  }

  subscribe(listener: () => void): () => void {
    return this.notifier.subscribe(listener);
  }

  /** Stored values changed elsewhere. */
  reload(): Promise<void> {
    return this.serial.run(() => this.read());
  }

  private async read(): Promise<void> {
    const [stored, rules] = await Promise.all([
      this.store.get(STORE_KEYS.profiles),
      this.store.get(STORE_KEYS.globalRules),
    ]);
    const { agents, activeAgentId } = isRecord(stored) ? stored : {};
    this.own = (Array.isArray(agents) ? agents : []).filter(isOwn).map(entryOf);
    this.activeId = textOf(activeAgentId) || DEFAULT_AGENT_ID;
    this.globalRules = textOf(rules);
    this.notifier.notify();
  }

  /** Rejects with `invalid` where there is none of that id. */
  async activate(id: string): Promise<void> {
    if (!this.find(id))
      throw AgentFailure.of("invalid", `There is no agent "${id}". Choose one of the list.`);
    this.activeId = id;
    await this.write();
  }

  /** Adds or replaces one of the user's. Returns what is wrong; nothing is stored then. */
  async save(profile: AgentProfile): Promise<ProfileProblem[]> {
    const problems = profileProblems(profile);
    if (problems.length > 0) return problems;
    const entry = entryOf(profile);
    const index = this.own.findIndex((other) => idOf(other.stored) === profile.id);
    this.own = index < 0 ? [...this.own, entry] : this.own.with(index, entry);
    await this.write();
    return [];
  }

  /** Built-ins stay. */
  async remove(id: string): Promise<void> {
    this.own = this.own.filter(({ stored }) => idOf(stored) !== id);
    await this.write();
  }

  async setGlobalRules(text: string): Promise<void> {
    this.globalRules = text;
    await this.serial.run(() => this.store.set(STORE_KEYS.globalRules, text));
    this.notifier.notify();
  }

  private find(id: string): AgentProfile | undefined {
    return this.agents().find((agent) => agent.id === id);
  }

  private agents(): AgentProfile[] {
    return [...BUILT_IN_AGENTS, ...this.own.flatMap(({ profile }) => (profile ? [profile] : []))];
  }

  private async write(): Promise<void> {
    const agents = [...BUILT_IN_AGENTS, ...this.own.map(({ profile, stored }) => profile ?? stored)];
    const stored = { agents, activeAgentId: this.active.id };
    await this.serial.run(() => this.store.set(STORE_KEYS.profiles, stored));
    this.notifier.notify();
  }
}

/** Whatever is no copy of a built-in. */
function isOwn(stored: unknown): boolean {
  return !(isRecord(stored) && isBuiltIn(stored.id));
}

function idOf(stored: unknown): unknown {
  return isRecord(stored) ? stored.id : undefined;
}

function entryOf(stored: unknown): OwnEntry {
  return { stored, profile: parseProfile(stored) };
}
