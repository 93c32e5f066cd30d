/** Stores a growing turn: its text now and then, everything else at once. */
import type { Turn } from "./session.ts";

export class TurnSaver {
  private pending: Turn | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private draining: Promise<void> | undefined;

  /** `write` may reject: the rejection goes to whoever flushes. */
  constructor(
    private readonly write: (turn: Turn) => Promise<void>,
    private readonly every: number,
  ) {}

  /** The turn is stored within `every` milliseconds. */
  later(turn: Turn): void {
    this.pending = turn;
    this.timer ??= setTimeout(() => this.drop(this.flush()), this.every);
  }

  /** The turn is stored at once, or as soon as the write under way is over. */
  now(turn: Turn): void {
    this.pending = turn;
    this.drop(this.flush());
  }

  /** Resolves when everything told so far is stored. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.draining ??= this.drain().finally(() => {
      this.draining = undefined;
    });
    return this.draining;
  }

  private async drain(): Promise<void> {
    while (this.pending) {
      const turn = this.pending;
      this.pending = undefined;
      await this.write(turn);
    }
  }

  private drop(written: Promise<void>): void {
    written.catch(() => {});
  }
}
