/** Who the agent is in a turn. */
import type { LlmConfig } from "../llm/config.ts";

export interface Skill {
  name: string;
  /** Instructions that the model gets. */
  text: string;
}

export interface AgentProfile {
  /** `^[a-zA-Z0-9_-]{1,32}$` */
  id: string;
  name: string;
  builtIn: boolean;
  rules: string;
  /** Whether the user's global rules apply too. */
  inheritGlobalRules: boolean;
  skills: readonly Skill[];
  /** Tool calls of one turn; without it only the steps are limited. */
  callsPerTurn?: number;
  /** Members of the LLM's config that this agent replaces; never the key. */
  llm?: Partial<LlmConfig>;
}

/** As stored under `agentProfiles`. */
export interface AgentProfiles {
  agents: readonly AgentProfile[];
  activeAgentId: string;
}
