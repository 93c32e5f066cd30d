/** The page's tools as they were last listed, kept in step with the page. */
import { LIMITS } from "../../contract/limits.ts";
import type { PageTool, RejectedTool } from "../../contract/page-tools.ts";
import { isRecord } from "../../contract/tab-channel.ts";
import type { PageClient } from "./page-client.ts";
import { sortOut, type ToolList } from "./tool-rules.ts";

export class ToolBook {
  #list: ToolList = { tools: [], rejected: [] };
  #running: Promise<void> | undefined;
  /** Asked for again while a listing was under way, which may have missed the change. */
  #stale = false;

  /** `onChange`: the list differs from the one before. */
  constructor(private readonly onChange: (list: ToolList) => void) {}

  get list(): ToolList {
    return this.#list;
  }

  tool(name: string): PageTool | undefined {
    return this.#list.tools.find((tool) => tool.name === name);
  }

  rejection(name: string): RejectedTool | undefined {
    return this.#list.rejected.find((tool) => tool.name === name);
  }

  /** Resolves when the book shows the page as it is now or later. Rejects where the page's listing is misshapen. */
  refresh(client: PageClient): Promise<void> {
    this.#stale = this.#running !== undefined;
    this.#running ??= this.#untilFresh(client).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The page is gone or not known yet: nothing is offered. */
  clear(): void {
    this.#replace({ tools: [], rejected: [] });
  }

  async #untilFresh(client: PageClient): Promise<void> {
    do {
      this.#stale = false;
      this.#replace(sortOut(await listAll(client)));
    } while (this.#stale);
  }

  #replace(list: ToolList): void {
    const changed = JSON.stringify(list) !== JSON.stringify(this.#list);
    this.#list = list;
    if (changed) this.onChange(list);
  }
}

/** Follows `nextCursor` until one tool more than is taken, or as many pages: a page can go on for ever. */
async function listAll(client: PageClient): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page <= LIMITS.tools && all.length <= LIMITS.tools; page++) {
    const answer = await client.listPage(cursor);
    if (!isRecord(answer) || !Array.isArray(answer.tools))
      throw new Error("the page's tools/list has no tools");
    all.push(...answer.tools.slice(0, 2 * LIMITS.tools));
    const next = answer.nextCursor;
    if (typeof next !== "string" || next === "") break;
    cursor = next;
  }
  return all;
}
