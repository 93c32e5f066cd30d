/** All tools in one list. */
import type { AgentTool } from "./tool.ts";

/** Two tools of one name: `kept` came first, `hidden` cannot be called. */
export interface Collision {
  name: string;
  kept: AgentTool;
  hidden: AgentTool;
}

export interface ToolCatalogue {
  /** In the order of the sources; each name once. */
  tools: readonly AgentTool[];
  /** To be shown: nothing is dropped silently. */
  collisions: readonly Collision[];
}

/** One catalogue of several sources; of two tools with one name the first wins. */
export function mergeTools(...sources: (readonly AgentTool[])[]): ToolCatalogue {
  const byName = new Map<string, AgentTool>();
  const collisions: Collision[] = [];
  for (const tool of sources.flat()) {
    const kept = byName.get(tool.name);
    if (kept) collisions.push({ name: tool.name, kept, hidden: tool });
    else byName.set(tool.name, tool);
  }
  return { tools: [...byName.values()], collisions };
}
