/** The panel's names of page tools, and the way back from a name to its tab and tool. */
import { panelName } from "../../contract/names.ts";
import type { PageTool } from "../../contract/page-tools.ts";

export interface ListedTool {
  /** `tab<id>__<f(name)>`, `ext__<namespace>__<tool>`, or a built-in's own name. */
  publicName: string;
  /** `undefined` for a built-in and for a provider's tool: the worker runs those. */
  tabId: number | undefined;
  /** The provider's id, for its tools. */
  providerId?: string;
  tool: PageTool;
}

/** Names one tab's tools; of two that would share a name the later gets the hash suffix. */
export async function nameTools(tabId: number, tools: readonly PageTool[]): Promise<ListedTool[]> {
  const taken = new Set<string>();
  const listed: ListedTool[] = [];
  for (const tool of tools) {
    const plain = await panelName(tabId, tool.name);
    // A character that no name may have forces the hash of f.
    const publicName = taken.has(plain) ? await panelName(tabId, `${tool.name}\u0000`) : plain;
    taken.add(publicName);
    listed.push({ publicName, tabId, tool });
  }
  return listed;
}

/** The tool behind a public name, over all sources. */
export function route(sources: Iterable<readonly ListedTool[]>, publicName: string): ListedTool | undefined {
  for (const tools of sources) {
    const found = tools.find((entry) => entry.publicName === publicName);
    if (found) return found;
  }
  return undefined;
}
