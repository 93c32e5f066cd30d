/** Tasks that come one after the other, in the order in which they were given. */
export class Serial {
  private last: Promise<unknown> = Promise.resolve();

  /** A task that fails does not hold up the next. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.last.then(task, task);
    this.last = done;
    return done;
  }
}
