/**
 * `TabClientTransport` on a window that is shared with the page's own clients and servers: requests get ids that are
 * ours alone, and only the server that answers them is listened to.
 */
import { TabClientTransport } from "@mcp-b/transports";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import {
  CLIENT_ID_PREFIX,
  type Envelope,
  envelope,
  isRecord,
  PAGE_SERVER_NAME,
  readEnvelope,
  SERVER_READY,
  SERVER_STOPPED,
} from "../../contract/tab-channel.ts";
import { extensionAlive } from "./extension-alive.ts";

/** It ends at anybody's `mcp-server-stopped`; this one only where `mayStop` agrees. */
class GuardedTabTransport extends TabClientTransport {
  mayStop = true;

  override async close(): Promise<void> {
    if (this.mayStop) await super.close();
  }
}

let transports = 0;

export class PageTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];

  readonly #inner = new GuardedTabTransport({ targetOrigin: window.origin === "null" ? "*" : window.origin });
  /** Unguessed ids are not needed (the page reads them anyway), only unique ones, also across a reload. */
  readonly #prefix = `${CLIENT_ID_PREFIX}${Date.now().toString(36)}.${++transports}:`;
  readonly #life = new AbortController();
  /** The message that the inner transport is looking at. */
  #current: Envelope | undefined;
  /** `from` of the server that answered first: the one we talk to. */
  #peer: { from: string | undefined } | undefined;

  /** `announced`: a server has said that it is ready, before anybody listened. */
  constructor(private readonly announced: boolean) {}

  async start(): Promise<void> {
    const { signal } = this.#life;
    this.#inner.onmessage = (message) => this.#deliver(message as JSONRPCMessage);
    this.#inner.onclose = () => this.#closed();
    window.addEventListener("message", (event) => this.#before(event), { signal });
    await this.#inner.start();
    window.addEventListener("message", () => this.#after(), { signal });
    if (this.announced) this.#repeatAnnouncement();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(this.#outgoing(message));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #closed(): void {
    this.#life.abort();
    this.onclose?.();
  }

  /** The inner transport waits for an announcement that has come too early for it. */
  #repeatAnnouncement(): void {
    const ready = envelope("server-to-client", SERVER_READY, PAGE_SERVER_NAME);
    window.postMessage(ready, window.origin === "null" ? "*" : window.origin);
  }

  #before(event: MessageEvent): void {
    this.#current = readEnvelope(event, "server-to-client");
    if (!this.#current) return;
    // An orphan leaves the page to the next script, without a word.
    if (!extensionAlive()) void this.close();
    const { payload, from } = this.#current;
    this.#inner.mayStop = payload !== SERVER_STOPPED || this.#isPeer(from);
    // The inner transport drops what is no JSON-RPC, and its request would hang.
    const id = isRecord(payload) ? this.#ownId(payload.id) : undefined;
    if (id !== undefined && isRecord(payload) && isMisshapen(payload)) this.#settle(id, MISSHAPEN);
  }

  #after(): void {
    this.#current = undefined;
    this.#inner.mayStop = true;
  }

  /** Ids of requests get the prefix, and so does the id that a cancellation names. */
  #outgoing(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message)) return message;
    if ("id" in message) return { ...message, id: this.#prefix + message.id };
    const requestId = message.params?.requestId;
    if (requestId === undefined) return message;
    return { ...message, params: { ...message.params, requestId: `${this.#prefix}${requestId}` } };
  }

  /** Answers to our own requests, and notifications of the server that gives them. Anything else is not for us. */
  #deliver(message: JSONRPCMessage): void {
    if ("method" in message) {
      if (!("id" in message) && this.#isPeer(this.#current?.from)) this.onmessage?.(message);
      return;
    }
    const id = this.#ownId(message.id);
    if (id !== undefined) this.#settle(id, message);
  }

  #settle(id: number, answer: object): void {
    this.#peer ??= { from: this.#current?.from };
    if (this.#isPeer(this.#current?.from)) this.onmessage?.({ ...answer, id } as JSONRPCMessage);
  }

  #ownId(id: unknown): number | undefined {
    return typeof id === "string" && id.startsWith(this.#prefix)
      ? Number(id.slice(this.#prefix.length))
      : undefined;
  }

  #isPeer(from: string | undefined): boolean {
    return this.#peer !== undefined && this.#peer.from === from;
  }
}

const MISSHAPEN = {
  jsonrpc: "2.0",
  error: { code: -32603, message: "the page's answer is neither a result nor an error" },
};

function isMisshapen({ result, error, method }: Record<string, unknown>): boolean {
  if (method !== undefined || isRecord(result)) return false;
  return !isRecord(error) || !Number.isInteger(error.code) || typeof error.message !== "string";
}
