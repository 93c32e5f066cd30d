/** An agent's profile as its form has it. */
import {
  type AgentProfile,
  LLM_PROTOCOLS,
  type LlmConfig,
  type LlmProtocol,
  type Skill,
} from "../../../agent-chat-core/index.ts";

/** An empty profile of the user's, with an id that nobody has. */
export function newProfile(): AgentProfile {
  const id = `own-${crypto.randomUUID().slice(0, 8)}`;
  return { id, name: "", builtIn: false, rules: "", inheritGlobalRules: true, skills: [] };
}

/** The same under another id, as one of the user's. */
export function copyOf(profile: AgentProfile, name: string): AgentProfile {
  return { ...profile, id: newProfile().id, name, builtIn: false };
}

/** The form's fields laid over the profile; `skills` are kept by the form itself. */
export function readProfile(profile: AgentProfile, form: FormData, skills: readonly Skill[]): AgentProfile {
  const { llm: _, callsPerTurn: __, ...rest } = profile;
  const calls = Number(textOf(form, "callsPerTurn"));
  const llm = readOverride(form);
  return {
    ...rest,
    name: textOf(form, "name"),
    rules: textOf(form, "rules"),
    inheritGlobalRules: form.has("inheritGlobalRules"),
    skills: skills.filter(({ name, text }) => name.trim() !== "" || text.trim() !== ""),
    ...(textOf(form, "callsPerTurn") === "" ? {} : { callsPerTurn: calls }),
    ...(Object.keys(llm).length === 0 ? {} : { llm }),
  };
}

/** Only what is filled in replaces the settings. There is no field for a key. */
function readOverride(form: FormData): Partial<LlmConfig> {
  const protocol = textOf(form, "protocol");
  const maxTokens = textOf(form, "maxTokens");
  return {
    ...(isProtocol(protocol) ? { protocol } : {}),
    ...given("baseUrl", textOf(form, "baseUrl")),
    ...given("path", textOf(form, "path")),
    ...given("model", textOf(form, "model")),
    ...(maxTokens === "" ? {} : { maxTokens: Number(maxTokens) }),
  };
}

function given<K extends "baseUrl" | "path" | "model">(key: K, text: string): Partial<Pick<LlmConfig, K>> {
  return text === "" ? {} : ({ [key]: text } as Pick<LlmConfig, K>);
}

function isProtocol(text: string): text is LlmProtocol {
  return (LLM_PROTOCOLS as readonly string[]).includes(text);
}

function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}
