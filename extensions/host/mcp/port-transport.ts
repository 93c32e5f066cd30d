/** MCP transport of a client over a runtime port: each port message is one JSON-RPC object. */
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { isRecord } from "../../contract/lumo.ts";

/** The message never left: what it asks for may be asked again on another port. */
export class NotSent extends Error {
  constructor() {
    super("The port was closed before the message was sent");
    this.name = "NotSent";
  }
}

/** As much of `chrome.runtime.Port` as an MCP session needs. */
export type McpPort = Pick<chrome.runtime.Port, "postMessage" | "disconnect" | "onMessage" | "onDisconnect">;

export class PortTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** Clients count their requests from zero: a peer that replays answers of an earlier port must meet no request. */
  readonly #prefix = `${crypto.randomUUID()}:`;
  #closed = false;

  constructor(private readonly port: McpPort) {
    port.onMessage.addListener((message: unknown) => this.#receive(message));
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError;
      this.#end();
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new NotSent();
    try {
      this.port.postMessage(this.#outgoing(message));
    } catch {
      this.#end();
      throw new NotSent();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.port.disconnect();
    this.#end();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #receive(message: unknown): void {
    if (this.#closed) return;
    try {
      const incoming = this.#incoming(message);
      if (incoming !== undefined) this.onmessage?.(parseJSONRPCMessage(incoming));
    } catch (cause) {
      this.onerror?.(cause instanceof Error ? cause : new Error(String(cause)));
    }
  }

  /** Ids of our requests get the prefix, and so does the id that a cancellation names. */
  #outgoing(message: JSONRPCMessage): unknown {
    if (!("method" in message)) return message;
    if ("id" in message) return { ...message, id: `${this.#prefix}${message.id}` };
    const requestId = message.params?.requestId;
    if (requestId === undefined) return message;
    return { ...message, params: { ...message.params, requestId: `${this.#prefix}${String(requestId)}` } };
  }

  /** `undefined`: an answer to no request of this port. */
  #incoming(message: unknown): unknown {
    if (!isRecord(message) || "method" in message) return message;
    const { id } = message;
    if (typeof id !== "string" || !id.startsWith(this.#prefix)) return undefined;
    return { ...message, id: Number(id.slice(this.#prefix.length)) };
  }
}
