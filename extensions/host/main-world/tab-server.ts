/** Puts the MCP server on the window's channel, beside whatever server and clients the page brings itself. */
import {
  CHECK_READY,
  type Direction,
  envelope,
  isOurs,
  PAGE_SERVER_NAME,
  readEnvelope,
  SERVER_READY,
  SERVER_STOPPED,
} from "../../contract/tab-channel.ts";
import { acceptText } from "./input-shape.ts";
import { McpServer } from "./mcp-server.ts";
import { PageTools } from "./page-tools.ts";

/**
 * `checking`: injected late, so a server of the page may be there already: nobody is answered until that is known.
 * `serving`: our client's requests end here; the page's own clients are served only while no other server is known.
 * `yielding`: the page's server was there first and serves everyone. So one execution a call, always.
 */
type Mode = "checking" | "serving" | "yielding";

const FENCE = "webmcp-e2e/fence";

export class TabServer {
  #mode: Mode = "serving";
  /** Another server has announced itself on the channel. */
  #otherServer = false;
  readonly #server: McpServer;

  constructor() {
    const tools = new PageTools(() => this.#mode === "serving" && this.#server.notifyListChanged());
    this.#server = new McpServer(tools, (message) => this.#post(message));
  }

  /** `late`: the page's scripts may have run before. Listens in the capture phase: first at the window. */
  start(late: boolean): void {
    window.addEventListener("message", (event) => this.#receive(event), { capture: true });
    if (late) this.#check();
    else this.announce();
  }

  announce(): void {
    if (this.#mode === "serving") this.#post(SERVER_READY);
  }

  #receive(event: MessageEvent): void {
    const fromServer = readEnvelope(event, "server-to-client");
    if (fromServer && fromServer.from !== PAGE_SERVER_NAME) this.#observe(fromServer.payload);
    const fromClient = readEnvelope(event, "client-to-server");
    if (fromClient && this.#mode === "serving") this.#serve(event, fromClient.payload);
  }

  #serve(event: MessageEvent, payload: unknown): void {
    const ours = isOurs(payload);
    if (ours) event.stopImmediatePropagation();
    if (payload === CHECK_READY) this.announce();
    else if (ours || !this.#otherServer) this.#server.receive(payload);
  }

  #observe(payload: unknown): void {
    if (payload === SERVER_READY) this.#otherServer = true;
    if (payload !== SERVER_STOPPED) return;
    this.#otherServer = false;
    if (this.#mode === "yielding") this.#check();
  }

  /** Asks whether a server is there; the answer of one that is arrives before the second fence. */
  #check(): void {
    this.#mode = "checking";
    this.#otherServer = false;
    window.postMessage(envelope("client-to-server", CHECK_READY), targetOrigin());
    void fence()
      .then(fence)
      .then(() => this.#decide());
  }

  #decide(): void {
    this.#mode = this.#otherServer ? "yielding" : "serving";
    if (this.#mode === "yielding") void acceptText();
    this.announce();
  }

  #post(payload: unknown): void {
    const direction: Direction = "server-to-client";
    window.postMessage(envelope(direction, payload, PAGE_SERVER_NAME), targetOrigin());
  }
}

/** An opaque origin (`sandbox`) has no name that postMessage takes. */
function targetOrigin(): string {
  return window.origin === "null" ? "*" : window.origin;
}

/** Resolves when every message that was posted to this window before has been delivered. */
function fence(): Promise<void> {
  return new Promise((resolve) => {
    const token = `${FENCE}:${Math.random()}`;
    const listener = (event: MessageEvent): void => {
      if (event.source !== window || event.data !== token) return;
      window.removeEventListener("message", listener, true);
      resolve();
    };
    window.addEventListener("message", listener, true);
    window.postMessage(token, targetOrigin());
  });
}
