/** One running task for each agent; others wait in their order. */
import { orAbort } from "../waiting.ts";

export class TaskQueues {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly counts = new Map<string, number>();

  /** `changed` is called when a count does. */
  constructor(private readonly changed: () => void) {}

  /** Tasks of an agent: the one that runs, and those that wait. */
  count(id: string): number {
    return this.counts.get(id) ?? 0;
  }

  /**
   * Runs a task when those before it are over. Rejects with the signal's reason where it is aborted while the task
   * waits; later the task has to heed it itself.
   */
  async run<T>(id: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(id) ?? Promise.resolve();
    let leave = (): void => {};
    const over = new Promise<void>((resolve) => {
      leave = resolve;
    });
    // Whoever comes next waits for those before this one too, also where this one gives up.
    const tail = before.then(() => over);
    this.tails.set(id, tail);
    this.add(id, 1);
    try {
      await orAbort(before, signal);
      return await task();
    } finally {
      leave();
      this.add(id, -1);
      if (this.tails.get(id) === tail && this.count(id) === 0) this.tails.delete(id);
    }
  }

  private add(id: string, by: number): void {
    this.counts.set(id, this.count(id) + by);
    this.changed();
  }
}
