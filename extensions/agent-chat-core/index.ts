/**
 * The agent without a look: conversation, models, tools, remote agents. No UI and no browser API: `fetch`, timers,
 * `AbortController` and `crypto` are all it needs.
 */

export { A2aAgents, type A2aOptions } from "./a2a/agents.ts";
export type { A2aAgent, A2aAgentView, A2aCard, A2aDraft, A2aTest, DraftProblem } from "./a2a/binding.ts";
export { a2aProblems, parseA2aAgent } from "./a2a/parse-binding.ts";
export {
  AGENT_ERROR_CODES,
  type AgentErrorCode,
  AgentFailure,
  type AgentProblem,
  problemOf,
} from "./errors.ts";
export { AGENT_LIMITS } from "./limits.ts";
export {
  LLM_DEFAULTS,
  LLM_PROTOCOLS,
  type LlmAccess,
  type LlmConfig,
  type LlmProtocol,
} from "./llm/config.ts";
export { type LlmProblem, LlmSettings, llmProblems, usableMembers } from "./llm/settings.ts";
export { isBuiltIn, type ProfileProblem, parseProfile, profileProblems } from "./profiles/parse-profile.ts";
export type { AgentProfile, AgentProfiles, Skill } from "./profiles/profile.ts";
export { Profiles } from "./profiles/profiles.ts";
export { AgentChat, type ChatListener, type ChatOptions, type ChatState } from "./session/chat.ts";
export type { ConsentAnswer } from "./session/consent-desk.ts";
export type {
  AssistantMessage,
  Backoff,
  CallStatus,
  Session,
  SessionSummary,
  ToolCallRecord,
  Turn,
  TurnStatus,
} from "./session/session.ts";
export { MemoryStore, SESSION_PREFIX, STORE_KEYS, type Store, TURN_PREFIX } from "./store.ts";
export { AGENT_TIMINGS, type AgentTimings, agentTimings } from "./timings.ts";
export { type Collision, mergeTools, type ToolCatalogue } from "./tools/catalogue.ts";
export {
  type AgentTool,
  badgeOf,
  type CallOptions,
  isConsequential,
  type ToolBadge,
  type ToolKind,
} from "./tools/tool.ts";
