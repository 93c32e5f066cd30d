/** The remote agents: bindings, cards, tools. */
import { problemOf } from "../errors.ts";
import { Notifier } from "../notifier.ts";
import { Serial } from "../serial.ts";
import { STORE_KEYS, type Store } from "../store.ts";
import { type AgentTimings, agentTimings } from "../timings.ts";
import type { AgentTool } from "../tools/tool.ts";
import { agentTool } from "./agent-tool.ts";
import type { A2aAgent, A2aAgentView, A2aCard, A2aDraft, A2aTest, DraftProblem } from "./binding.ts";
import { fetchCard } from "./card.ts";
import { bindingOf, draftProblems, isSamePlace, parseBindings, parseTokens } from "./parse-binding.ts";
import { TaskQueues } from "./queue.ts";

export interface A2aOptions {
  store: Store;
  timings?: Partial<AgentTimings>;
  /** For tests; the global one otherwise. */
  fetch?: typeof fetch;
}

/** A binding with what was learnt of it. One that is edited is a new entry. */
interface Entry {
  agent: A2aAgent;
  token: string;
  card?: A2aCard;
  tool?: AgentTool;
  problem?: A2aAgentView["problem"];
  gone: AbortController;
}

export class A2aAgents {
  /** In the order in which they were added. Replaced at each change. */
  list: readonly A2aAgentView[] = [];
  /** `a2a__<id>__send_task` of every agent whose card is `ready`. */
  tools: readonly AgentTool[] = [];
  private entries: Entry[] = [];
  private readonly notifier = new Notifier();
  private readonly serial = new Serial();
  private readonly timings: AgentTimings;
  private readonly fetch: typeof fetch;
  private readonly queues = new TaskQueues(() => this.changed());

  private constructor(private readonly options: A2aOptions) {
    this.timings = agentTimings(options.timings);
    // A browser's fetch refuses to be called as a member of anything but its global object.
    this.fetch = (input, init) => (options.fetch ?? fetch)(input, init);
  }

  /** Reads the bindings; the cards are fetched in the background. */
  static async open(options: A2aOptions): Promise<A2aAgents> {
    const agents = new A2aAgents(options);
    await agents.reload();
    return agents;
  }

  subscribe(listener: () => void): () => void {
    return this.notifier.subscribe(listener);
  }

  /** Stored values changed elsewhere. What is the same goes on as it is. */
  reload(): Promise<void> {
    return this.serial.run(() => this.read());
  }

  private async read(): Promise<void> {
    const { store } = this.options;
    const [stored, tokens] = await Promise.all([
      store.get(STORE_KEYS.a2aAgents),
      store.get(STORE_KEYS.a2aTokens),
    ]);
    const tokenOf = parseTokens(tokens);
    this.replace(parseBindings(stored).map((agent) => this.entryOf(agent, tokenOf[agent.id] ?? "")));
  }

  /** What is wrong with a draft; `editing` is the id that is edited, `undefined` for a new one. */
  problems(draft: A2aDraft, editing?: string): DraftProblem[] {
    const others = this.entries.map(({ agent }) => agent.id).filter((id) => id !== editing);
    return draftProblems(withoutEmpty(draft), others);
  }

  /** Adds, or replaces `editing`. Returns what is wrong; nothing is stored then. */
  async save(draft: A2aDraft, editing?: string): Promise<DraftProblem[]> {
    const problems = this.problems(draft, editing);
    if (problems.length > 0) return problems;
    const entry = this.entryOf(bindingOf(draft), this.tokenFor(draft, editing));
    const index = this.entries.findIndex(({ agent }) => agent.id === editing);
    await this.store(index < 0 ? [...this.entries, entry] : this.entries.with(index, entry));
    return [];
  }

  async remove(id: string): Promise<void> {
    await this.store(this.entries.filter(({ agent }) => agent.id !== id));
  }

  /** Fetches one card again (of all without an id). */
  async refresh(id?: string): Promise<void> {
    const chosen = this.entries.filter(({ agent }) => id === undefined || agent.id === id);
    await Promise.all(chosen.map((entry) => this.loadCard(entry)));
  }

  /** Fetches the card of a draft; stores nothing. Without a token the stored one of `editing` is used. */
  async test(draft: A2aDraft, editing?: string, signal?: AbortSignal): Promise<A2aTest> {
    const began = Date.now();
    const [first] = this.problems(draft, editing);
    const duration = () => Date.now() - began;
    if (first)
      return { ok: false, problem: { code: "invalid", message: first.message }, duration: duration() };
    try {
      const card = await this.cardOf(bindingOf(draft), this.tokenFor(draft, editing), signal);
      return { ok: true, card, duration: duration() };
    } catch (cause) {
      return { ok: false, problem: problemOf(cause), duration: duration() };
    }
  }

  /** Aborts every request and task. */
  close(): void {
    this.replace([]);
  }

  private tokenFor(draft: A2aDraft, editing: string | undefined): string {
    if (draft.token !== undefined) return draft.token;
    const known = this.entries.find(({ agent }) => agent.id === editing);
    return known && isSamePlace(known.agent, bindingOf(draft)) ? known.token : "";
  }

  private entryOf(agent: A2aAgent, token: string): Entry {
    const isSame = (entry: Entry) =>
      entry.token === token && JSON.stringify(entry.agent) === JSON.stringify(agent);
    return this.entries.find(isSame) ?? { agent, token, gone: new AbortController() };
  }

  private store(entries: Entry[]): Promise<void> {
    return this.serial.run(() => this.write(entries));
  }

  private async write(entries: Entry[]): Promise<void> {
    const tokens = entries.filter(({ token }) => token !== "").map(({ agent, token }) => [agent.id, token]);
    await this.options.store.set(STORE_KEYS.a2aTokens, Object.fromEntries(tokens));
    await this.options.store.set(
      STORE_KEYS.a2aAgents,
      entries.map(({ agent }) => agent),
    );
    this.replace(entries);
  }

  /** Ends what is gone and begins what is new. */
  private replace(entries: Entry[]): void {
    const before = this.entries;
    this.entries = entries;
    for (const entry of before) if (!entries.includes(entry)) entry.gone.abort();
    this.changed();
    for (const entry of entries) if (!before.includes(entry)) void this.loadCard(entry);
  }

  private async loadCard(entry: Entry): Promise<void> {
    delete entry.problem;
    this.changed();
    try {
      entry.card = await this.cardOf(entry.agent, entry.token, entry.gone.signal);
      entry.tool = this.toolOf(entry, entry.card);
    } catch (cause) {
      delete entry.card;
      delete entry.tool;
      entry.problem = problemOf(cause);
    }
    this.changed();
  }

  private cardOf(agent: A2aAgent, token: string, signal = new AbortController().signal): Promise<A2aCard> {
    return fetchCard(agent, { fetch: this.fetch, token, signal, timeout: this.timings.a2aRequest });
  }

  private toolOf({ agent, token, gone }: Entry, card: A2aCard): AgentTool {
    const { fetch, timings, queues } = this;
    const base = { id: agent.id, card, token, fetch, timings, queues };
    return agentTool({ ...base, gone: gone.signal, contexts: new Map() });
  }

  private changed(): void {
    this.list = this.entries.map((entry) => this.viewOf(entry));
    this.tools = this.entries.flatMap(({ tool }) => (tool ? [tool] : []));
    this.notifier.notify();
  }

  private viewOf({ agent, token, card, problem }: Entry): A2aAgentView {
    return {
      agent,
      hasToken: token !== "",
      state: problem ? "error" : card ? "ready" : "loading",
      ...(card ? { card } : {}),
      ...(problem ? { problem } : {}),
      running: this.queues.count(agent.id),
    };
  }
}

function withoutEmpty({ endpoint, ...draft }: A2aDraft): A2aDraft {
  return endpoint ? { ...draft, endpoint } : draft;
}
