/**
 * The logical session with one provider: its service, tools and state. Outlives ports and both workers; a live MCP
 * session comes and goes under it, at need.
 */
import { ChainFailure } from "../../contract/errors.ts";
import { isRecord, type ProbeService } from "../../contract/lumo.ts";
import type { ProviderState } from "../../contract/providers.ts";
import { offersTools, type Shelved } from "./catalogue.ts";
import { type Listing, parseListing } from "./listing.ts";
import { LiveSession } from "./live-session.ts";
import { probe } from "./probe.ts";
import { stateFailure } from "./provider-errors.ts";

/** Milliseconds between two listings that the provider asks for: one that does so at each keeps nobody busy. */
const RELIST_PAUSE = 250;

export interface SessionEvents {
  /** State, tools, or whether it is being checked. */
  changed(session: ProviderSession): void;
  /** Milliseconds for each step of a handshake. */
  patience(): number;
}

/** What survives the worker. */
export interface StoredSession {
  state: ProviderState;
  service?: ProbeService | undefined;
  listing?: Listing | undefined;
  problem?: string | undefined;
  checkedAt?: number | undefined;
}

export class ProviderSession implements Shelved {
  state: ProviderState = { state: "unknown" };
  service: ProbeService | undefined;
  listing: Listing | undefined;
  /** The probe passed and the MCP session failed. */
  problem: string | undefined;
  checking = false;
  /** Epoch milliseconds of the end of the last check. */
  checkedAt: number | undefined;
  private live: LiveSession | undefined;
  private refreshing: Promise<void> | undefined;
  private relisting: Promise<void> | undefined;
  private relistAgain = false;
  private disposed = false;

  constructor(
    readonly id: string,
    private readonly events: SessionEvents,
  ) {}

  get stored(): StoredSession {
    const { state, service, listing, problem, checkedAt } = this;
    return { state, service, listing, problem, checkedAt };
  }

  /** Goes on from what an earlier worker stored. */
  restore(stored: unknown): void {
    if (!isRecord(stored)) return;
    const { state, service, listing, problem, checkedAt } = stored as unknown as StoredSession;
    Object.assign(this, { state, service, listing, problem, checkedAt });
  }

  /** Probes; opens a live session where the provider lets us in and none is open. One at a time; never rejects. */
  refresh(): Promise<void> {
    this.refreshing ??= this.check().finally(() => {
      this.refreshing = undefined;
      this.checking = false;
      this.checkedAt = Date.now();
      this.changed();
    });
    return this.refreshing;
  }

  /** The live session, a fresh one if the last has ended. Throws a ChainFailure, executed `no`. */
  async opened(): Promise<LiveSession> {
    if (!this.live && !this.disposed) await this.refresh();
    if (this.disposed) throw removed();
    if (this.live) return this.live;
    throw stateFailure(this.state, this.problem);
  }

  /** The provider was taken off the list. */
  dispose(): void {
    this.disposed = true;
    this.end();
  }

  private async check(): Promise<void> {
    this.checking = true;
    this.changed();
    await this.learnState();
    if (offersTools(this.state) && !this.live && !this.disposed) await this.connect();
  }

  private async learnState(): Promise<void> {
    this.state = await probe(this.id);
    if (this.state.state !== "unknown" && this.state.service) this.service = this.state.service;
    if (!offersTools(this.state)) this.end();
  }

  private async connect(): Promise<void> {
    try {
      await this.openLive();
      this.problem = undefined;
    } catch (cause) {
      this.problem = cause instanceof Error ? cause.message : String(cause);
      this.end();
      // A provider that has just taken us off its list closes the port: the probe knows why.
      await this.learnState();
    }
  }

  private async openLive(): Promise<void> {
    let live: LiveSession | undefined;
    const closed = () => {
      if (this.live === live) this.live = undefined;
    };
    this.relistAgain = false;
    const events = { closed, listChanged: () => this.relist() };
    live = await LiveSession.open(this.id, events, this.events.patience());
    this.listing = parseListing(await live.list());
    if (this.disposed) return live.close();
    if (live.closed) throw new Error("the provider closed the port");
    this.live = live;
    if (this.relistAgain) this.relist();
  }

  private end(): void {
    void this.live?.close();
    this.live = undefined;
  }

  /** The provider says that its list has changed; many such words at once are one listing more. */
  private relist(): void {
    this.relistAgain = true;
    this.relisting ??= this.relistUntilQuiet().finally(() => {
      this.relisting = undefined;
    });
  }

  private async relistUntilQuiet(): Promise<void> {
    while (this.relistAgain && this.live) {
      this.relistAgain = false;
      try {
        this.listing = parseListing(await this.live.list());
      } catch {
        // The port closed: the next session lists anyway.
        return;
      }
      this.changed();
      if (this.relistAgain) await new Promise((rested) => setTimeout(rested, RELIST_PAUSE));
    }
  }

  private changed(): void {
    if (!this.disposed) this.events.changed(this);
  }
}

function removed(): ChainFailure {
  return ChainFailure.of("unknown_tool", "no", "The provider was removed. List the tools again.");
}
