/** One end of a port in memory. */
import type { McpPort } from "../../host/mcp/port-transport.ts";

export class FakePort {
  /** What the host has posted. */
  readonly posted: Record<string, unknown>[] = [];
  disconnected = false;
  /** `postMessage` throws, as on a dead port. */
  dead = false;
  private readonly messageListeners: ((message: unknown) => void)[] = [];
  private readonly endListeners: (() => void)[] = [];

  get port(): McpPort {
    const end = this;
    const port = {
      postMessage(message: Record<string, unknown>) {
        if (end.dead) throw new Error("Attempting to use a disconnected port object");
        end.posted.push(structuredClone(message));
      },
      disconnect() {
        end.disconnected = true;
      },
      onMessage: {
        addListener: (listener: (message: unknown) => void) => end.messageListeners.push(listener),
      },
      onDisconnect: { addListener: (listener: () => void) => end.endListeners.push(listener) },
    };
    return port as unknown as McpPort;
  }

  deliver(message: unknown): void {
    for (const listener of this.messageListeners) listener(message);
  }

  close(): void {
    for (const listener of this.endListeners) listener();
  }
}
