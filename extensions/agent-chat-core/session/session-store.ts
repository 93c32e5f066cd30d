/**
 * Sessions in the store: an index, a header for each session, and each turn by itself, so that a step of a long session
 * writes one turn and not all of them.
 */
import { AGENT_LIMITS } from "../limits.ts";
import { SESSION_PREFIX, STORE_KEYS, type Store, TURN_PREFIX } from "../store.ts";
import { parseHeader, parseSummary, parseTurn, type SessionHeader } from "./parse-session.ts";
import type { Session, SessionSummary, Turn } from "./session.ts";

export class SessionStore {
  constructor(private readonly store: Store) {}

  /** Latest first. */
  async list(): Promise<SessionSummary[]> {
    const stored = await this.store.get(STORE_KEYS.sessions);
    const entries = Array.isArray(stored) ? stored.map(parseSummary) : [];
    return entries.filter((entry) => entry !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  async load(id: string): Promise<Session | undefined> {
    const header = parseHeader(await this.store.get(SESSION_PREFIX + id));
    if (!header) return undefined;
    const stored = await Promise.all(header.turnIds.map((turnId) => this.store.get(TURN_PREFIX + turnId)));
    const turns = stored.map(parseTurn).filter((turn) => turn !== undefined);
    const { turnIds: _, ...summary } = header;
    return { ...summary, turns };
  }

  /**
   * Writes the header and the index; the oldest sessions beyond the limit go. Returns the index. Turns that another
   * panel has added meanwhile stay.
   */
  saveHeader({ turns, ...summary }: Session): Promise<SessionSummary[]> {
    return this.store.exclusive(async () => {
      const known = parseHeader(await this.store.get(SESSION_PREFIX + summary.id))?.turnIds ?? [];
      const turnIds = [...new Set([...known, ...turns.map(({ id }) => id)])];
      const header: SessionHeader = { ...summary, turnIds };
      await this.put(SESSION_PREFIX + summary.id, header, summary.id);
      return this.writeIndex([summary, ...(await this.list()).filter(({ id }) => id !== summary.id)]);
    });
  }

  /** `sessionId`: the one that is not given up where room is needed. */
  saveTurn(turn: Turn, sessionId: string): Promise<void> {
    return this.store.exclusive(() => this.put(TURN_PREFIX + turn.id, turn, sessionId));
  }

  /** Returns the index. */
  delete(id: string): Promise<SessionSummary[]> {
    return this.store.exclusive(async () => {
      await this.removeBody(id);
      return this.writeIndex((await this.list()).filter((entry) => entry.id !== id));
    });
  }

  private async writeIndex(entries: SessionSummary[]): Promise<SessionSummary[]> {
    const sorted = entries.sort((a, b) => b.updatedAt - a.updatedAt);
    for (const { id } of sorted.slice(AGENT_LIMITS.sessions)) await this.removeBody(id);
    const kept = sorted.slice(0, AGENT_LIMITS.sessions);
    await this.store.set(STORE_KEYS.sessions, kept);
    return kept;
  }

  /** Where the store is full the oldest other session goes, until the value has room. */
  private async put(key: string, value: unknown, sessionId: string): Promise<void> {
    for (;;) {
      try {
        return await this.store.set(key, value);
      } catch (cause) {
        const entries = await this.list();
        const oldest = entries.findLast(({ id }) => id !== sessionId);
        if (!oldest) throw cause;
        await this.removeBody(oldest.id);
        await this.store.set(
          STORE_KEYS.sessions,
          entries.filter((entry) => entry !== oldest),
        );
      }
    }
  }

  private async removeBody(id: string): Promise<void> {
    const header = parseHeader(await this.store.get(SESSION_PREFIX + id));
    for (const turnId of header?.turnIds ?? []) await this.store.remove(TURN_PREFIX + turnId);
    await this.store.remove(SESSION_PREFIX + id);
  }
}
