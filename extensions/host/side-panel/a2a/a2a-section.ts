/** Remote agents in a settings file, without their tokens. */

import {
  bindingOf,
  draftProblems,
  isSamePlace,
  parseBindings,
  parseTokens,
} from "../../../agent-chat-core/a2a/parse-binding.ts";
import type { A2aAgent } from "../../../agent-chat-core/index.ts";
import { STORE_KEYS } from "../../../agent-chat-core/index.ts";
import { invalid, list, record, text } from "../transfer/refusal.ts";
import type { SettingsSection } from "../transfer/section.ts";

const MAX_AGENTS = 50;
const MAX_TEXT = 2_000;

export const a2aSection: SettingsSection = {
  name: "a2aAgents",
  keys: [STORE_KEYS.a2aAgents, STORE_KEYS.a2aTokens],
  read: (stored) => parseBindings(stored[STORE_KEYS.a2aAgents]),
  apply(value, stored, where) {
    const agents = list(value, where, MAX_AGENTS, binding);
    if (new Set(agents.map(({ id }) => id)).size < agents.length) invalid(where);
    const before = parseBindings(stored[STORE_KEYS.a2aAgents]);
    const tokens = keptTokens(agents, before, parseTokens(stored[STORE_KEYS.a2aTokens]));
    return { set: { [STORE_KEYS.a2aAgents]: agents, [STORE_KEYS.a2aTokens]: tokens } };
  },
};

function binding(value: unknown, where: string): A2aAgent {
  const { id, cardUrl, endpoint } = record(value, where, ["id", "cardUrl", "endpoint"]);
  const agent = bindingOf({
    id: text(id, `${where}.id`, MAX_TEXT),
    cardUrl: text(cardUrl, `${where}.cardUrl`, MAX_TEXT),
    endpoint: endpoint === undefined ? "" : text(endpoint, `${where}.endpoint`, MAX_TEXT),
  });
  const [problem] = draftProblems(agent, []);
  return problem ? invalid(`${where}.${problem.field}`) : agent;
}

/** A token stays only where its agent still goes to the same places. */
function keptTokens(
  agents: readonly A2aAgent[],
  before: readonly A2aAgent[],
  tokens: Record<string, string>,
): Record<string, string> {
  const stays = (agent: A2aAgent) => before.some((old) => old.id === agent.id && isSamePlace(old, agent));
  const kept = agents.filter(({ id }) => tokens[id] !== undefined).filter(stays);
  return Object.fromEntries(kept.map(({ id }) => [id, tokens[id]!]));
}
