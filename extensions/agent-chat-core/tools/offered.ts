/** The tools that a model is told of. */
import { AGENT_LIMITS } from "../limits.ts";
import type { LlmProtocol } from "../llm/config.ts";
import type { AgentTool } from "./tool.ts";

/**
 * All of them, or as many as the protocol's servers take, in their order. Page tools give way first: a single page can
 * have hundreds, and must not push out the rest.
 */
export function offeredTools(tools: readonly AgentTool[], protocol: LlmProtocol): readonly AgentTool[] {
  const room = AGENT_LIMITS.openAiTools;
  if (protocol === "anthropic" || tools.length <= room) return tools;
  const byWeight = [
    ...tools.filter(({ kind }) => kind !== "page"),
    ...tools.filter(({ kind }) => kind === "page"),
  ];
  const kept = new Set(byWeight.slice(0, room));
  return tools.filter((tool) => kept.has(tool));
}
