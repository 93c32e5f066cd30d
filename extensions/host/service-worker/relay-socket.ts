/** One websocket to a relay: its hello, its frames, its limits. */

import { LIMITS } from "../../contract/limits.ts";
import {
  type BrowserToRelay,
  DISCOVERY_SUBPROTOCOL,
  RELAY_SERVICE,
  type RelayToBrowser,
  type ServerHello,
  SUBPROTOCOL,
} from "../../contract/relay-wire.ts";
import type { RelaySettings } from "../../contract/settings.ts";

export interface Endpoint {
  host: string;
  port: number;
}

/** How a socket ended: `rejected` is the relay's word, `mismatch` a relay that the settings do not want. */
export type SocketEnd = { kind: "failed" | "lost" | "mismatch" } | { kind: "rejected"; message: string };

export interface SocketEvents {
  /** The relay's hello came and matches the settings. */
  ready(hello: ServerHello): void;
  frame(frame: RelayToBrowser, text: string): void;
  ended(end: SocketEnd): void;
}

const POLICY_VIOLATION = 1008;
const encoder = new TextEncoder();

/** UTF-8 bytes are at most three a UTF-16 unit, so most texts need no encoding to be known to fit. */
export function fits(text: string, limit: number): boolean {
  return text.length * 3 <= limit || encoder.encode(text).length <= limit;
}

export function matches(hello: ServerHello, settings: RelaySettings): boolean {
  if (hello.service !== RELAY_SERVICE || hello.version !== 1) return false;
  if (settings.relayId !== undefined && hello.relayId !== settings.relayId) return false;
  return settings.workspace === undefined || hello.workspace === settings.workspace;
}

export class RelaySocket {
  hello: ServerHello | undefined;
  /** May be replaced: a socket that a scan opened is handed to a source. */
  events: SocketEvents;
  private readonly socket: WebSocket;
  private readonly patience: ReturnType<typeof setTimeout>;
  private end: SocketEnd | undefined;

  /** `patience`: ms for connection and hello together. */
  constructor(
    readonly endpoint: Endpoint,
    private readonly settings: RelaySettings,
    patience: number,
    events: SocketEvents,
  ) {
    this.events = events;
    this.socket = new WebSocket(`ws://${authority(endpoint)}/`, [SUBPROTOCOL, DISCOVERY_SUBPROTOCOL]);
    this.patience = setTimeout(() => this.finish({ kind: "failed" }), patience);
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = (event) => this.closed(event);
  }

  get ended(): boolean {
    return this.end !== undefined;
  }

  /** Bytes that one frame to this relay may have. */
  get room(): number {
    return Math.min(this.hello?.maxPayload ?? LIMITS.peerFrame, LIMITS.frame);
  }

  send(frame: BrowserToRelay): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  /** A wanted end: close 1000, no `ended`. */
  close(): void {
    this.end ??= { kind: "lost" };
    clearTimeout(this.patience);
    this.socket.close(1000);
  }

  private receive(data: unknown): void {
    if (this.end || typeof data !== "string") return;
    const frame = parseFrame(data);
    if (!frame) return;
    if (!this.hello) this.greet(frame);
    else if (frame.type === "hello/rejected") this.finish({ kind: "rejected", message: frame.message });
    else this.events.frame(frame, data);
  }

  private greet(frame: RelayToBrowser): void {
    if (frame.type !== "server-hello") return;
    if (!matches(frame, this.settings)) {
      this.finish({ kind: "mismatch" });
      return;
    }
    clearTimeout(this.patience);
    this.hello = frame;
    this.events.ready(frame);
  }

  private closed(event: CloseEvent): void {
    if (event.code === POLICY_VIOLATION) {
      // Peers without `hello/rejected` say it by this code alone.
      this.finish({ kind: "rejected", message: event.reason });
      return;
    }
    this.finish({ kind: this.hello ? "lost" : "failed" });
  }

  private finish(end: SocketEnd): void {
    if (this.end) return;
    this.end = end;
    clearTimeout(this.patience);
    this.socket.close(1000);
    this.events.ended(end);
  }
}

/** `host:port` of a URL; an IPv6 address gets its brackets. */
export function authority({ host, port }: Endpoint): string {
  const literal = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${literal}:${port}`;
}

/** The frame, or `undefined` for what is no frame: the relay is not trusted to be well-behaved. */
export function parseFrame(text: string): RelayToBrowser | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    const typed = typeof frame === "object" && frame !== null && "type" in frame;
    return typed && typeof frame.type === "string" ? (frame as RelayToBrowser) : undefined;
  } catch {
    return undefined;
  }
}
