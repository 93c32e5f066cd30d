/** The user's agents and global rules in a settings file. */
import {
  type AgentProfile,
  isBuiltIn,
  parseProfile,
  profileProblems,
  STORE_KEYS,
} from "../../../agent-chat-core/index.ts";
import { invalid, list, record, text } from "../transfer/refusal.ts";
import type { SettingsSection } from "../transfer/section.ts";

const MAX_PROFILES = 100;
const MAX_RULES = 20_000;
const MEMBERS = [
  "id",
  "name",
  "builtIn",
  "rules",
  "inheritGlobalRules",
  "skills",
  "callsPerTurn",
  "llm",
] as const;
const LLM_MEMBERS = ["protocol", "baseUrl", "path", "model", "maxTokens"] as const;

export const profilesSection: SettingsSection = {
  name: "agentProfiles",
  keys: [STORE_KEYS.profiles, STORE_KEYS.globalRules],
  read(stored) {
    const { agents, activeAgentId } = storedProfiles(stored[STORE_KEYS.profiles]);
    const globalRules = stored[STORE_KEYS.globalRules];
    return { agents, activeAgentId, globalRules: typeof globalRules === "string" ? globalRules : "" };
  },
  apply(value, _stored, where) {
    const file = record(value, where, ["agents", "activeAgentId", "globalRules"]);
    const agents = list(file.agents, `${where}.agents`, MAX_PROFILES, profile);
    const ids = agents.map(({ id }) => id);
    if (new Set(ids).size < ids.length) invalid(`${where}.agents`);
    const activeAgentId = text(file.activeAgentId, `${where}.activeAgentId`, 32);
    if (!ids.includes(activeAgentId) && !isBuiltIn(activeAgentId)) invalid(`${where}.activeAgentId`);
    const globalRules = text(file.globalRules, `${where}.globalRules`, MAX_RULES);
    return {
      set: { [STORE_KEYS.profiles]: { agents, activeAgentId }, [STORE_KEYS.globalRules]: globalRules },
    };
  },
};

function storedProfiles(stored: unknown): { agents: AgentProfile[]; activeAgentId: string } {
  const { agents, activeAgentId } = (stored ?? {}) as { agents?: unknown; activeAgentId?: unknown };
  const own = (Array.isArray(agents) ? agents : []).flatMap((entry) => parseProfile(entry) ?? []);
  const isKnown = isBuiltIn(activeAgentId) || own.some(({ id }) => id === activeAgentId);
  return { agents: own, activeAgentId: isKnown ? String(activeAgentId) : "tool-debug" };
}

function profile(value: unknown, where: string): AgentProfile {
  const members = record(value, where, MEMBERS);
  if (members.llm !== undefined) record(members.llm, `${where}.llm`, LLM_MEMBERS);
  list(members.skills, `${where}.skills`, MAX_PROFILES, (skill, at) => record(skill, at, ["name", "text"]));
  const [problem] = profileProblems(members);
  return problem ? invalid(`${where}.${problem.field}`) : (parseProfile(members) ?? invalid(where));
}
