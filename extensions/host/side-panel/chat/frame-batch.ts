/** Gathers changes that come faster than frames. */

/** A drawing so short needs no pause, in milliseconds. */
const QUICK = 4;
/** A longer one is given a pause of so many times its length, so that typing and scrolling stay quick. */
const REST = 2;

export class FrameBatch {
  private wanted = false;
  private busy = false;

  /** `draw` resolves when everything is drawn. */
  constructor(private readonly draw: () => Promise<unknown>) {}

  /** Draws in the next frame that is free; all calls until then are one. */
  request(): void {
    this.wanted = true;
    if (!this.busy) this.start();
  }

  private start(): void {
    this.busy = true;
    requestAnimationFrame(() => void this.run());
  }

  private async run(): Promise<void> {
    const begin = performance.now();
    this.wanted = false;
    await this.draw();
    const cost = performance.now() - begin;
    if (cost < QUICK) this.next();
    else setTimeout(() => this.next(), cost * REST);
  }

  private next(): void {
    this.busy = false;
    if (this.wanted) this.start();
  }
}
