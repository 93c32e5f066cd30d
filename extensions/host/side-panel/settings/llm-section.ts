/** The language model in a settings file, without its key. */
import {
  LLM_PROTOCOLS,
  type LlmConfig,
  llmProblems,
  STORE_KEYS,
  usableMembers,
} from "../../../agent-chat-core/index.ts";
import { invalid, oneOf, record } from "../transfer/refusal.ts";
import type { SettingsSection, Stored } from "../transfer/section.ts";

const MEMBERS = ["protocol", "baseUrl", "path", "model", "maxTokens"] as const;

export const llmSection: SettingsSection = {
  name: "languageModel",
  keys: [STORE_KEYS.llm, STORE_KEYS.llmKey, STORE_KEYS.llmKeyOrigin],
  read(stored) {
    const config = stored[STORE_KEYS.llm];
    return llmProblems(config).length === 0 ? usableMembers(config) : undefined;
  },
  apply(value, stored, where) {
    const members = record(value, where, MEMBERS);
    oneOf(members.protocol, `${where}.protocol`, LLM_PROTOCOLS);
    const [problem] = llmProblems(members);
    if (problem) invalid(`${where}.${problem.field}`);
    const config = usableMembers(members) as LlmConfig;
    return { set: { [STORE_KEYS.llm]: config }, remove: keysToDrop(config, stored) };
  },
};

/** A key belongs to the server that it was entered for. */
function keysToDrop({ baseUrl }: LlmConfig, stored: Stored): string[] {
  const known = stored[STORE_KEYS.llmKeyOrigin] ?? originOf(usableMembers(stored[STORE_KEYS.llm]).baseUrl);
  return known === originOf(baseUrl) ? [] : [STORE_KEYS.llmKey, STORE_KEYS.llmKeyOrigin];
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}
