// What each page that registers tools does: show the strip, register, say when that is done.
import { ToolRegistry } from "./tool-registry.js";
import { showNoTools, showTools } from "./tool-strip.js";

/**
 * Registers the tools. `<html data-tools="ready">` says that all of them are there.
 * @param {(registry: ToolRegistry) => ToolDefinition[]} make for tools that register or take back others
 * @returns {Promise<ToolRegistry>}
 */
export async function offer(make) {
  showNoTools();
  const registry = new ToolRegistry(showTools);
  await registry.addAll(make(registry));
  document.documentElement.dataset.tools = "ready";
  return registry;
}

/**
 * A tool that takes a text and says where it ran.
 * @param {string} name
 * @param {string} description
 * @returns {ToolDefinition}
 */
export const where = (name, description) => ({
  name,
  description,
  inputSchema: { type: "object", properties: { text: { type: "string" } }, additionalProperties: false },
  execute: ({ text = "" }) => ({ text, path: location.pathname, origin: location.origin }),
});
