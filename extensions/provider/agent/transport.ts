/** An MCP transport over a runtime port that keeps what arrives until authorization is decided. */
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { jsonBytes } from "../../contract/limits.ts";
import { LUMO_LIMITS } from "../../contract/lumo.ts";

/** Listens from construction on; the SDK's `start()` delivers what was kept, in order. */
export class PortTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private kept: unknown[] | undefined = [];
  private keptBytes = 0;
  private closed = false;
  private resolveFirst: (arrived: boolean) => void = () => undefined;
  private readonly first = new Promise<boolean>((resolve) => {
    this.resolveFirst = resolve;
  });

  constructor(private readonly port: chrome.runtime.Port) {
    port.onMessage.addListener((message) => this.receive(message));
    port.onDisconnect.addListener(() => this.end());
  }

  /** Resolves with `true` at the first message, with `false` if the port closes before. */
  firstMessage(): Promise<boolean> {
    return this.first;
  }

  async start(): Promise<void> {
    const kept = this.kept ?? [];
    this.kept = undefined;
    for (const message of kept) this.deliver(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.closed) throw new Error("The port is closed. Connect again.");
    this.port.postMessage(message);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.port.disconnect();
    this.end();
  }

  private receive(message: unknown): void {
    if (this.closed) return;
    if (this.kept) this.keep(this.kept, message);
    else this.deliver(message);
  }

  private keep(kept: unknown[], message: unknown): void {
    kept.push(message);
    this.keptBytes += jsonBytes(message);
    if (this.overflows(kept.length)) void this.close();
    else this.resolveFirst(true);
  }

  private overflows(messages: number): boolean {
    return messages > LUMO_LIMITS.bufferedMessages.value || this.keptBytes > LUMO_LIMITS.bufferedBytes.value;
  }

  private deliver(message: unknown): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(message));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    this.kept = undefined;
    this.resolveFirst(false);
    this.onclose?.();
  }
}
