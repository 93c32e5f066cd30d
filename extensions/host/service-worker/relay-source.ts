/** One source on one relay: introduces its backend, answers invokes, keeps the relay's list current. */
import { errorResult, type ToolResult } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { RelaySourceStatus } from "../../contract/panel.ts";
import type { RelayToBrowser, ServerHello } from "../../contract/relay-wire.ts";
import type { RelaySettings } from "../../contract/settings.ts";
import type { CallRegistry } from "./calls.ts";
import type { RelayLog } from "./relay-log.ts";
import { type Endpoint, fits, RelaySocket, type SocketEnd, type SocketEvents } from "./relay-socket.ts";
import type { SourceBackend } from "./source-backend.ts";
import { listThatFits } from "./tool-list.ts";

export interface SourceEvents {
  up(source: RelaySource, hello: ServerHello): void;
  down(source: RelaySource, end: SocketEnd): void;
  /** Something that the panel shows has changed. */
  changed(): void;
}

type Invoke = Extract<RelayToBrowser, { type: "invoke" }>;

export class RelaySource {
  rejected: string | undefined;
  private socket: RelaySocket | undefined;
  private introduced = false;
  private toldTools = "";
  private toldCount = 0;
  private dropped = 0;
  private readonly socketEvents: SocketEvents = {
    ready: (hello) => this.greeted(hello),
    frame: (frame, text) => this.receive(frame, text),
    ended: (end) => this.ended(end),
  };

  constructor(
    readonly backend: SourceBackend,
    private readonly calls: CallRegistry,
    private readonly events: SourceEvents,
    private readonly log: RelayLog,
  ) {}

  get up(): boolean {
    return this.socket?.hello !== undefined;
  }

  /** A socket is open or on its way. */
  get busy(): boolean {
    return this.socket !== undefined;
  }

  get status(): RelaySourceStatus {
    const { rejected } = this;
    const base = { id: this.backend.id, up: this.up, tools: this.toldCount, dropped: this.dropped };
    return rejected === undefined ? base : { ...base, rejected };
  }

  /** Opens the socket and, in parallel, the way to the page. */
  open(endpoint: Endpoint, settings: RelaySettings, patience: number): void {
    this.socket = new RelaySocket(endpoint, settings, patience, this.socketEvents);
    this.openBackend();
  }

  /** Takes over a socket that a scan has opened. */
  adopt(socket: RelaySocket): void {
    this.socket = socket;
    socket.events = this.socketEvents;
    this.openBackend();
    if (socket.hello && !socket.ended) this.greeted(socket.hello);
    else this.ended({ kind: "failed" });
  }

  /** The user's or the selection's wish: the relay ends the source at once. */
  close(): void {
    if (this.introduced) this.socket?.send({ type: "tools/changed", tools: [] });
    this.socket?.close();
    this.reset();
    this.backend.close();
  }

  /** No relay is there for now: lets go of the page as well, which then wakes nobody. */
  rest(): void {
    if (!this.socket) this.backend.close();
  }

  /**
   * From here until `close` or `rest` the page wakes a worker that stops: also in the short time of connecting,
   * in which a fresh worker holds no socket yet and the relay's calls already wait for it.
   */
  private openBackend(): void {
    this.rejected = undefined;
    this.backend.open({ toolsChanged: () => this.tellTools(), helloChanged: () => this.tellHello() });
    this.backend.held(true);
  }

  private greeted(hello: ServerHello): void {
    this.events.up(this, hello);
    void this.introduce();
  }

  private async introduce(): Promise<void> {
    const { socket } = this;
    await this.backend.prepared();
    if (!socket || this.socket !== socket) return;
    this.introduced = true;
    socket.send(this.backend.hello());
    this.sendTools("tools/list");
  }

  private tellHello(): void {
    if (this.introduced) this.socket?.send(this.backend.hello());
  }

  private tellTools(): void {
    if (this.introduced) this.sendTools("tools/changed");
  }

  private sendTools(type: "tools/list" | "tools/changed"): void {
    const { socket } = this;
    if (!socket) return;
    const list = listThatFits(this.backend.tools(), socket.room);
    const told = JSON.stringify(list.tools);
    if (type === "tools/changed" && told === this.toldTools) return;
    this.toldTools = told;
    this.toldCount = list.tools.length;
    this.dropped = list.dropped;
    socket.send({ type, tools: list.tools });
    this.events.changed();
  }

  private receive(frame: RelayToBrowser, text: string): void {
    if (frame.type === "invoke") void this.invoke(frame, text);
    else if (frame.type === "ping") this.socket?.send({ type: "pong" });
    else if (frame.type === "cancel") this.calls.cancel(this.keyOf(frame.callId));
    else if (frame.type === "reload") this.backend.reload();
  }

  private keyOf(callId: string): string {
    return `relay/${this.backend.id}/${callId}`;
  }

  private async invoke({ callId, toolName, args = {} }: Invoke, text: string): Promise<void> {
    const { socket } = this;
    const ended = this.log.begin(this.backend.id, toolName, args);
    const result = fits(text, LIMITS.frame)
      ? await this.calls.run(this.keyOf(callId), this.backend.tabId, (signal) =>
          this.backend.call(toolName, args, signal),
        )
      : tooLarge("arguments", LIMITS.frame, "no");
    ended(result);
    socket?.sendText(resultFrame(callId, result, socket.room));
  }

  private ended(end: SocketEnd): void {
    this.reset();
    if (end.kind === "rejected") {
      this.rejected = end.message || "rejected";
      this.backend.close();
    }
    this.events.down(this, end);
  }

  private reset(): void {
    this.socket = undefined;
    this.introduced = false;
    this.toldTools = "";
    this.toldCount = 0;
    this.dropped = 0;
  }
}

/** The frame of a result, or of `too_large` in its place: a longer frame would cost the socket. */
function resultFrame(callId: string, result: ToolResult, room: number): string {
  const frame = JSON.stringify({ type: "result", callId, result });
  if (fits(frame, room)) return frame;
  return JSON.stringify({ type: "result", callId, result: tooLarge("contents", room, "yes") });
}

function tooLarge(what: string, limit: number, executed: "no" | "yes"): ToolResult {
  const message = `The ${what} of this call need more than the ${limit} bytes that the relay takes. Ask for less at once.`;
  return errorResult({ code: "too_large", executed, message });
}
