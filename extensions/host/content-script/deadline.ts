/** A timer whose length may be changed while it runs: timing overrides arrive after an attempt has begun. */
export class Deadline {
  readonly #started = performance.now();
  #timer: ReturnType<typeof setTimeout>;

  /** `onEnd` runs `milliseconds` after construction, unless cleared. */
  constructor(
    milliseconds: number,
    private readonly onEnd: () => void,
  ) {
    this.#timer = setTimeout(onEnd, milliseconds);
  }

  /** Counts from the start, not from now; in the past means at once. */
  rearm(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.onEnd, Math.max(0, this.#started + milliseconds - performance.now()));
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
