/** The way to `ready`: attempts with a fresh client each, and after the last one the wait for a cause (spec §2). */
import type { PageRuntime, PageState } from "../../contract/page-tools.ts";
import { readEnvelope, SERVER_READY } from "../../contract/tab-channel.ts";
import { SCHEDULE, type Timings } from "../../contract/timings.ts";
import { Deadline } from "./deadline.ts";
import { extensionAlive } from "./extension-alive.ts";
import { PageClient } from "./page-client.ts";
import { ToolBook } from "./tool-book.ts";
import type { ToolList } from "./tool-rules.ts";

export interface SessionStatus {
  state: PageState;
  reason?: string;
  runtime?: PageRuntime;
}

export interface SessionEvents {
  onState(status: SessionStatus): void;
  onTools(list: ToolList): void;
  /** The connection ended while it was in use. */
  onLost(): void;
}

export class PageSession {
  readonly book: ToolBook;
  #status: SessionStatus = { state: "connecting" };
  #client: PageClient | undefined;
  /** The running attempt's or pause's timer, and which entry of the table it follows. */
  #deadline: { timer: Deadline; of: "handshakeAttempt" | "handshakePause" } | undefined;
  /** A server has said that it is ready while no client was listening: the next one need not ask. */
  #announced = false;
  /** Counts starts: what belongs to an older one stops by itself. */
  #run = 0;
  #waiters: (() => void)[] = [];

  constructor(
    private readonly events: SessionEvents,
    private timings: Timings,
  ) {
    this.book = new ToolBook((list) => this.#status.state === "ready" && events.onTools(list));
    window.addEventListener("message", (event) => this.#onMessage(event));
  }

  get status(): SessionStatus {
    return this.#status;
  }

  /** The connection in use; only while `ready`. */
  get client(): PageClient | undefined {
    return this.#status.state === "ready" ? this.#client : undefined;
  }

  /** Begins anew with the first attempt. */
  start(): void {
    this.#drop();
    if (!extensionAlive()) return;
    if (isSecureContext) {
      this.#set({ state: "connecting" });
      void this.#connect(this.#run);
    } else this.#set({ state: "none", reason: INSECURE });
  }

  /** Starts again if the attempts were used up. */
  nudge(): void {
    if (this.#status.state === "none" && extensionAlive()) this.start();
  }

  /** Ends the connection without a successor: the page is going, or another script takes over. */
  stop(): void {
    this.#drop();
    this.#set({ state: "connecting" });
  }

  retime(timings: Timings): void {
    this.timings = timings;
    if (this.#deadline) this.#deadline.timer.rearm(timings[this.#deadline.of]);
  }

  /** Resolves at the next change of state. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** A server's announcement ends the wait for a cause, and the pause between two attempts. */
  #onMessage(event: MessageEvent): void {
    if (readEnvelope(event, "server-to-client")?.payload !== SERVER_READY) return;
    const pausing = this.#deadline?.of === "handshakePause";
    this.#announced = pausing || this.#status.state === "none";
    if (pausing) this.#deadline?.timer.rearm(0);
    else this.nudge();
  }

  async #connect(run: number): Promise<void> {
    let reason = "";
    for (let attempt = 1; attempt <= SCHEDULE.handshakeAttempts; attempt++) {
      if (attempt > 1) await this.#pause();
      if (run !== this.#run || !extensionAlive()) return;
      const failure = await this.#attempt(run);
      if (failure === undefined) return;
      reason = `${failure}, ${attempt} times. Reload the page, or check that it offers WebMCP tools`;
    }
    if (run === this.#run) this.#set({ state: "none", reason });
  }

  /** `undefined` when it worked, else why not. */
  async #attempt(run: number): Promise<string | undefined> {
    const client = new PageClient();
    this.#client = client;
    client.onListChanged = () => void this.book.refresh(client).catch(() => {});
    const late = this.#after("handshakeAttempt").then(() => "no WebMCP server of the page answered in time");
    const failure = await Promise.race([this.#handshake(client), late]);
    if (run !== this.#run || failure !== undefined) client.close();
    else this.#inUse(client);
    return failure;
  }

  async #handshake(client: PageClient): Promise<string | undefined> {
    const announced = this.#announced;
    this.#announced = false;
    try {
      await client.connect(announced);
      await this.book.refresh(client);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #inUse(client: PageClient): void {
    this.#clearDeadline();
    client.onclose = () => this.#lost(client);
    this.#set({ state: "ready", ...(client.runtime ? { runtime: client.runtime } : {}) });
    this.events.onTools(this.book.list);
  }

  #lost(client: PageClient): void {
    if (client !== this.#client) return;
    this.events.onLost();
    this.#drop();
    if (!extensionAlive()) return;
    this.#set({ state: "connecting" });
    const run = this.#run;
    void this.#pause().then(() => this.#connect(run));
  }

  #drop(): void {
    this.#run++;
    this.#clearDeadline();
    const client = this.#client;
    this.#client = undefined;
    client?.close();
    this.book.clear();
  }

  #pause(): Promise<void> {
    return this.#after("handshakePause");
  }

  #after(of: "handshakeAttempt" | "handshakePause"): Promise<void> {
    this.#clearDeadline();
    return new Promise((resolve) => {
      this.#deadline = { timer: new Deadline(this.timings[of], resolve), of };
    });
  }

  #clearDeadline(): void {
    this.#deadline?.timer.clear();
    this.#deadline = undefined;
  }

  #set(status: SessionStatus): void {
    this.#status = status;
    this.events.onState(status);
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}

const INSECURE =
  "WebMCP needs a secure context, and this page has none. Open it over https, or from localhost or 127.0.0.1";
