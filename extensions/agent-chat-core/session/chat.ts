/** The conversation as the panel drives it. */
import { AgentFailure, type AgentProblem, problemOf } from "../errors.ts";
import { AGENT_LIMITS } from "../limits.ts";
import type { LlmSettings } from "../llm/settings.ts";
import { modelStream } from "../llm/stream.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { systemPrompt } from "../profiles/system-prompt.ts";
import type { Store } from "../store.ts";
import { type AgentTimings, agentTimings } from "../timings.ts";
import type { ToolCatalogue } from "../tools/catalogue.ts";
import { runTurn, type TurnEnvironment } from "../turn/run-turn.ts";
import { type ConsentAnswer, ConsentDesk } from "./consent-desk.ts";
import { TurnDraft } from "./draft.ts";
import { conversation } from "./history.ts";
import type { Session, SessionSummary, Turn } from "./session.ts";
import { SessionStore } from "./session-store.ts";
import { TurnSaver } from "./turn-saver.ts";

export interface ChatOptions {
  store: Store;
  /** A turn takes the active agent and the LLM's config as they are when it begins. */
  profiles: Profiles;
  llm: LlmSettings;
  /** Asked anew for each model request: tools come and go within a turn. */
  catalogue: () => ToolCatalogue;
  timings?: Partial<AgentTimings>;
  /** For tests; the global one otherwise. */
  fetch?: typeof fetch;
}

export interface ChatState {
  /** The one on display. A new one is stored with its first turn. */
  session: Session;
  /** Latest first. */
  sessions: readonly SessionSummary[];
  /** The turn under way, also of a session that is not on display. */
  running: { sessionId: string; turnId: string } | undefined;
  /** The last thing that went wrong outside a turn (storage). */
  problem: AgentProblem | undefined;
}

/** Called after each change with the whole state; what has not changed is the same object. */
export type ChatListener = (state: ChatState) => void;

/** Reasons of an abort. */
const BY_USER = "stopped";
const BY_CLOSING = "interrupted";

/** The turn under way. Its session may leave the display. */
interface Running {
  session: Session;
  saver: TurnSaver;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * One per panel document. One turn at a time. Methods reject with an AgentFailure where the state does not allow them
 * (`busy`, `nothing_to_do`); what goes wrong in a turn is in `Turn.error`.
 */
export class AgentChat {
  state: ChatState;
  private readonly listeners = new Set<ChatListener>();
  private readonly sessions: SessionStore;
  private readonly desk = new ConsentDesk();
  private readonly timings: AgentTimings;
  private running: Running | undefined;

  private constructor(private readonly options: ChatOptions) {
    this.sessions = new SessionStore(options.store);
    this.timings = agentTimings(options.timings);
    this.state = { session: emptySession(), sessions: [], running: undefined, problem: undefined };
  }

  /** Loads the sessions; the latest is on display. Turns that were running are `interrupted`. */
  static async open(options: ChatOptions): Promise<AgentChat> {
    const chat = new AgentChat(options);
    const sessions = await chat.sessions.list();
    const latest = sessions[0] ? await chat.sessions.load(sessions[0].id) : undefined;
    chat.change({ sessions, ...(latest ? { session: latest } : {}) });
    return chat;
  }

  /** Returns the way to unsubscribe. */
  subscribe(listener: ChatListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A turn of the session on display. Resolves when it has ended, however it ended. */
  async send(text: string): Promise<void> {
    this.assertIdle();
    if (text.trim() === "") throw nothingToDo("There is no text to send. Write one.");
    await this.run(this.state.session, this.newTurn(text));
  }

  /** Aborts the running turn; resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    await this.abort(BY_USER);
  }

  /** The last turn's text again, as a new turn. */
  async resend(): Promise<void> {
    this.assertIdle();
    const last = this.state.session.turns.at(-1);
    if (!last) throw nothingToDo("There is no turn to send again. Write a message.");
    await this.run(this.state.session, this.newTurn(last.text));
  }

  /** Goes on with a last turn that ended in `error`, from its last complete step. */
  async retry(): Promise<void> {
    this.assertIdle();
    const last = this.state.session.turns.at(-1);
    if (last?.status !== "error") throw nothingToDo("The last turn did not fail. Write a message.");
    const { error: _, ...turn } = last;
    await this.run(this.state.session, { ...turn, ...this.actors(), status: "running" });
  }

  /** For a call with status `consent` of the running turn; others are ignored. */
  answerConsent(callId: string, answer: ConsentAnswer): void {
    this.desk.answer(callId, answer);
  }

  newSession(): void {
    this.change({ session: emptySession() });
  }

  /** Ignored where there is none of that id. */
  async openSession(id: string): Promise<void> {
    const isRunning = this.running?.session.id === id;
    const session = isRunning ? this.running?.session : await this.sessions.load(id);
    if (session) this.change({ session });
  }

  /** The index changed elsewhere. */
  async relist(): Promise<void> {
    this.change({ sessions: await this.sessions.list() });
  }

  /** A running turn of it is stopped first. */
  async deleteSession(id: string): Promise<void> {
    if (this.running?.session.id === id) await this.stop();
    await this.guarded(async () => this.change({ sessions: await this.sessions.delete(id) }));
    if (this.state.session.id === id) this.newSession();
  }

  /** An empty title is ignored. */
  async renameSession(id: string, title: string): Promise<void> {
    const name = title.trim().slice(0, AGENT_LIMITS.title);
    const session = this.known(id) ?? (await this.sessions.load(id));
    if (!session || name === "") return;
    const renamed = { ...session, title: name };
    this.replaceSession(renamed);
    await this.guarded(() => this.saveHeader(renamed));
  }

  /** Aborts what runs, which stands as `interrupted` then: the panel's `pagehide`. */
  async close(): Promise<void> {
    await this.abort(BY_CLOSING);
    this.listeners.clear();
  }

  private async abort(reason: typeof BY_USER | typeof BY_CLOSING): Promise<void> {
    // First, because a document that closes may not come further.
    void this.running?.saver.flush().catch(() => {});
    this.running?.abort.abort(reason);
    await this.running?.done;
  }

  private async run(session: Session, turn: Turn): Promise<void> {
    const abort = new AbortController();
    const others = session.turns.filter(({ id }) => id !== turn.id);
    const begun = { ...session, title: session.title || titleOf(turn.text), updatedAt: Date.now() };
    const saver = new TurnSaver((saved) => this.sessions.saveTurn(saved, session.id), this.timings.saveEvery);
    const running: Running = { session: begun, saver, abort, done: Promise.resolve() };
    this.running = running;
    running.done = this.runToEnd(running, others, turn).finally(() => {
      this.running = undefined;
      this.change({ running: undefined });
    });
    await running.done;
  }

  private async runToEnd(running: Running, others: readonly Turn[], turn: Turn): Promise<void> {
    const { saver } = running;
    const draft = new TurnDraft(turn, (changed, change) => {
      this.replaceSession({ ...running.session, turns: [...others, changed] });
      if (change === "more text") saver.later(changed);
      else saver.now(changed);
    });
    draft.set({ status: "running" });
    this.change({ running: { sessionId: running.session.id, turnId: turn.id }, problem: undefined });
    await this.guarded(() => this.saveHeader(running.session));
    await this.guarded(() => saver.flush());
    const stored = () => this.guarded(() => saver.flush());
    draft.set(await this.outcome(draft, running, others, stored));
    await this.guarded(() => saver.flush());
    this.replaceSession({ ...running.session, updatedAt: Date.now() });
    await this.guarded(() => this.saveHeader(running.session));
  }

  /** How the turn ended, as what is to be changed of it. */
  private async outcome(
    draft: TurnDraft,
    running: Running,
    others: readonly Turn[],
    stored: () => Promise<void>,
  ): Promise<Partial<Turn>> {
    try {
      draft.dropUnfinished();
      await runTurn(draft, this.environment(running, others, stored));
      return { status: "done" };
    } catch (cause) {
      const { aborted, reason } = running.abort.signal;
      if (!aborted) return { status: "error", error: problemOf(cause) };
      return { status: reason === BY_CLOSING ? BY_CLOSING : BY_USER };
    }
  }

  private environment(
    running: Running,
    others: readonly Turn[],
    stored: () => Promise<void>,
  ): TurnEnvironment {
    const { profiles, llm, catalogue, fetch: fetcher } = this.options;
    const agent = profiles.active;
    const access = llm.access(agent.llm);
    if (access.model === "")
      throw AgentFailure.of("llm_unconfigured", "No model is chosen. Enter one in the settings.");
    const { signal } = running.abort;
    return {
      protocol: access.protocol,
      stream: modelStream(access, this.timings.llmSilence, fetcher),
      system: systemPrompt(agent, profiles.globalRules),
      callsPerTurn: agent.callsPerTurn,
      catalogue,
      history: (turn) => conversation([...others, turn]),
      takenIds: new Set(running.session.turns.flatMap(callIds)),
      signal,
      timings: this.timings,
      consent: (call, tool) => this.desk.ask(running.session.id, call, tool, signal),
      stored,
    };
  }

  private newTurn(text: string): Turn {
    const base = { id: crypto.randomUUID(), at: Date.now(), text, messages: [] };
    return { ...base, ...this.actors(), status: "running" };
  }

  private actors(): Pick<Turn, "agent" | "model"> {
    const { id, name, llm } = this.options.profiles.active;
    return { agent: { id, name }, model: this.options.llm.access(llm).model };
  }

  private known(id: string): Session | undefined {
    return [this.running?.session, this.state.session].find((session) => session?.id === id);
  }

  private replaceSession(session: Session): void {
    if (this.running?.session.id === session.id) this.running.session = session;
    if (this.state.session.id === session.id) this.change({ session });
  }

  private async saveHeader(session: Session): Promise<void> {
    this.change({ sessions: await this.sessions.saveHeader(session) });
  }

  /** Storage that fails ends no turn: it is told. */
  private async guarded(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      const message = `The session could not be stored (${words}). Delete sessions that you do not need.`;
      this.change({ problem: { code: "storage", message } });
    }
  }

  private assertIdle(): void {
    if (this.running) throw AgentFailure.of("busy", "A turn is running. Stop it, or wait for its end.");
  }

  private change(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener(this.state);
  }
}

function emptySession(): Session {
  const now = Date.now();
  return { id: crypto.randomUUID(), title: "", createdAt: now, updatedAt: now, turns: [] };
}

function titleOf(text: string): string {
  return text.trim().replace(/\s+/g, " ").slice(0, AGENT_LIMITS.title);
}

function callIds(turn: Turn): string[] {
  return turn.messages.flatMap(({ calls }) => calls).map(({ id }) => id);
}

function nothingToDo(message: string): AgentFailure {
  return AgentFailure.of("nothing_to_do", message);
}
