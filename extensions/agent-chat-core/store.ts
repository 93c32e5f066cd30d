import { Serial } from "./serial.ts";

/** Where the core keeps things. The panel lays it over `chrome.storage.local`; tests use `MemoryStore`. */
export interface Store {
  /** The stored value, or `undefined`. It may be anything: whoever reads it validates it. */
  get(key: string): Promise<unknown>;
  /** Rejects where the value cannot be kept, for example because the quota is used up. */
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * Runs a task that reads and then writes while no other such task runs, in this document or in another one over the
   * same store: two panels may be open.
   */
  exclusive<T>(task: () => Promise<T>): Promise<T>;
}

/** Keys that the core owns. Sessions are under `SESSION_PREFIX + id`, their turns under `TURN_PREFIX + id`. */
export const STORE_KEYS = {
  /** `{agents: AgentProfile[], activeAgentId: string}` */
  profiles: "agentProfiles",
  /** The user's rules for all agents that inherit them: a text. */
  globalRules: "agentGlobalRules",
  /** `LlmConfig`, without the key. */
  llm: "llmConfig",
  /** The LLM's key: a text. Never exported. */
  llmKey: "llmKey",
  /** The origin for which the key was entered: it goes nowhere else. */
  llmKeyOrigin: "llmKeyOrigin",
  /** `SessionSummary[]`, latest first. */
  sessions: "agentSessions",
  /** `A2aAgent[]` */
  a2aAgents: "a2aAgents",
  /** `{[agentId]: token}`. Never exported. */
  a2aTokens: "a2aTokens",
} as const;

export const SESSION_PREFIX = "agentSession/";
export const TURN_PREFIX = "agentTurn/";

/** A store that ends with its document. Values are copied, as a real one does. */
export class MemoryStore implements Store {
  private readonly values = new Map<string, unknown>();
  private readonly serial = new Serial();

  async get(key: string): Promise<unknown> {
    return structuredClone(this.values.get(key));
  }

  async set(key: string, value: unknown): Promise<void> {
    this.values.set(key, structuredClone(value));
  }

  async remove(key: string): Promise<void> {
    this.values.delete(key);
  }

  exclusive<T>(task: () => Promise<T>): Promise<T> {
    return this.serial.run(task);
  }
}
