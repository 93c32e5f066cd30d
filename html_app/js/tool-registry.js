// Registers the page's tools with document.modelContext, whenever that appears.
import { journaled } from "./journal.js";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Resolves with `document.modelContext`, at once where it is there. An extension that is installed while the
 * page is open brings it later, and no event says so: hence the polling.
 * @returns {Promise<ModelContextLike>}
 */
export async function whenModelContext() {
  let wait = FIRST_PAUSE_MS;
  while (!document.modelContext) {
    await pause(wait);
    wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
  }
  return document.modelContext;
}

/** The tools that this document offers at the moment. */
export class ToolRegistry {
  /** @type {Map<string, AbortController>} */
  #live = new Map();
  /** @type {(names: string[]) => void} */
  #onChange;

  /** @param {(names: string[]) => void} [onChange] called with the names after every change */
  constructor(onChange = () => {}) {
    this.#onChange = onChange;
  }

  /** @returns {string[]} */
  get names() {
    return [...this.#live.keys()];
  }

  /** @param {ToolDefinition} tool */
  async add(tool) {
    const controller = new AbortController();
    const modelContext = await whenModelContext();
    await modelContext.registerTool(journaled(tool), { signal: controller.signal });
    this.#live.set(tool.name, controller);
    this.#onChange(this.names);
  }

  /** @param {ToolDefinition[]} tools */
  async addAll(tools) {
    await Promise.all(tools.map((tool) => this.add(tool)));
  }

  /** Takes a tool back; unknown names are ignored. @param {string} name */
  remove(name) {
    this.#live.get(name)?.abort();
    this.#live.delete(name);
    this.#onChange(this.names);
  }
}
