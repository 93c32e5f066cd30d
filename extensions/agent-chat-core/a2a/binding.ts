/** Remote agents as the user binds them. */
import type { AgentProblem } from "../errors.ts";

/** Stored under `a2aAgents`; the token is apart, under `a2aTokens`. */
export interface A2aAgent {
  /** `^[a-zA-Z0-9_-]{1,32}$`; the tool is `a2a__<id>__send_task`. */
  id: string;
  cardUrl: string;
  /** Used in place of the card's own URL. */
  endpoint?: string;
}

/** What the form gives. */
export interface A2aDraft extends A2aAgent {
  /**
   * `undefined` keeps the stored token, `""` removes it. It is dropped too where the card URL or the endpoint changes
   * its origin: a token belongs to one place.
   */
  token?: string;
}

/** What the core keeps of an agent's card, validated and cut. All of it untrusted. */
export interface A2aCard {
  name: string;
  description: string;
  skills: readonly { id: string; name: string; description: string }[];
  /** Where messages go, and in which dialect. */
  endpoint: string;
  protocol: "0.3" | "1.0";
  /** Of 1.0: sent along with each request. */
  tenant?: string;
}

/** `loading` its card is under way · `ready` its tool is listed · `error` see `problem`. */
export interface A2aAgentView {
  agent: A2aAgent;
  hasToken: boolean;
  state: "loading" | "ready" | "error";
  card?: A2aCard;
  problem?: AgentProblem;
  /** Tasks: one that runs, and those that wait for their turn. */
  running: number;
}

/** Outcome of the connection test: the card, or what to mend. `duration` in milliseconds. */
export type A2aTest =
  | { ok: true; card: A2aCard; duration: number }
  | { ok: false; problem: AgentProblem; duration: number };

/** A member of a draft that cannot be used; `message` says what it should be. */
export interface DraftProblem {
  field: "id" | "cardUrl" | "endpoint" | "token";
  message: string;
}
