/** Listeners of a change. */
export class Notifier {
  private readonly listeners = new Set<() => void>();

  /** Returns the way to unsubscribe. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  notify(): void {
    for (const listener of this.listeners) listener();
  }
}
