/** The page's tools of this moment: listing, calling, and word of changes. */
import type { PageRuntime } from "../../contract/page-tools.ts";
import { currentContext, type ModelContext, runtimeOf, underlyingContext } from "./model-context.ts";
import { type ListedTool, listTools } from "./tool-list.ts";

export class PageTools {
  #listing: Promise<Map<string, ListedTool>> | undefined;
  #listed: ModelContext | undefined;
  readonly #watched = new WeakSet<ModelContext>();

  /** `onChange` is called for every `toolchange`, after the old listing was forgotten. */
  constructor(private readonly onChange: () => void) {
    this.#watch(underlyingContext());
    this.#watch(currentContext());
  }

  get runtime(): PageRuntime {
    return runtimeOf(underlyingContext());
  }

  /**
   * The descriptions for `tools/list`; none where there is no WebMCP (an insecure context). Asked anew each time: of a
   * frame that goes away the browser need not tell.
   */
  async descriptions(): Promise<Record<string, unknown>[]> {
    this.forget();
    return [...(await this.#tools()).values()].map((tool) => tool.description);
  }

  /** A tool by its listed name; a name that the last listing lacks is looked for once more. */
  async find(name: string): Promise<{ context: ModelContext; tool: ListedTool } | undefined> {
    let tool = (await this.#tools()).get(name);
    if (!tool) {
      this.forget();
      tool = (await this.#tools()).get(name);
    }
    const context = this.#listed;
    return tool && context ? { context, tool } : undefined;
  }

  forget(): void {
    this.#listing = undefined;
  }

  #tools(): Promise<Map<string, ListedTool>> {
    const context = currentContext();
    this.#watch(context);
    if (!context) return Promise.resolve(new Map());
    if (context !== this.#listed) this.forget();
    this.#listed = context;
    this.#listing ??= listTools(context);
    return this.#listing;
  }

  #watch(context: ModelContext | undefined): void {
    if (!context || this.#watched.has(context) || typeof context.addEventListener !== "function") return;
    this.#watched.add(context);
    context.addEventListener("toolchange", () => {
      this.forget();
      this.onChange();
    });
  }
}
