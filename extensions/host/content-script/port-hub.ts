/** All open ports of this document, and the wake-up of a worker that lost its own. */
import { PAGE_TOOLS_PORT, type PageNotification, WAKE_MESSAGE } from "../../contract/page-tools.ts";
import { isRecord } from "../../contract/tab-channel.ts";
import { TIMINGS, type Timings, withOverrides } from "../../contract/timings.ts";
import { extensionAlive } from "./extension-alive.ts";
import type { PageCall } from "./page-call.ts";
import { PagePort, type PortContext } from "./page-port.ts";
import { PageSession } from "./page-session.ts";

const WAKE_TRIES = 5;

export class PortHub implements PortContext {
  readonly #ports = new Set<PagePort>();
  /** The worker's port, while the worker holds a relay socket for this tab. */
  #holder: PagePort | undefined;
  #timings: Timings = { ...TIMINGS };
  readonly session = new PageSession(
    {
      onState: (status) => this.#broadcast({ type: "state", ...status }),
      onTools: (list) => this.#broadcast({ type: "toolsChanged", ...list }),
      onLost: () =>
        this.#endCalls(
          "outcome_unknown",
          "the page's WebMCP server stopped while the tool ran. Check the page before you repeat.",
        ),
    },
    this.#timings,
  );
  readonly #onConnect = (port: chrome.runtime.Port): void => {
    if (port.name === PAGE_TOOLS_PORT) this.#ports.add(new PagePort(port, this));
  };

  /** Takes ports from now on, before the handshake has begun. */
  listen(): void {
    chrome.runtime.onConnect.addListener(this.#onConnect);
  }

  /** Takes none any more and lets go of those it has; their openers connect again, to the successor. */
  close(): void {
    chrome.runtime?.onConnect?.removeListener(this.#onConnect);
    this.#holder = undefined;
    this.dropPorts();
    this.session.stop();
  }

  timings(): Timings {
    return this.#timings;
  }

  retime(overrides: unknown): void {
    this.#timings = withOverrides(overrides);
    this.session.retime(this.#timings);
  }

  onRelayHeld(port: PagePort, held: boolean): void {
    if (held) this.#holder = port;
    else if (this.#holder === port) this.#holder = undefined;
  }

  onFall(port: PagePort): void {
    this.#ports.delete(port);
    if (this.#holder !== port) return;
    this.#holder = undefined;
    // A task later: within onDisconnect a reloaded extension still looks alive.
    setTimeout(() => void this.#wakeWorker(), 0);
  }

  /** Finds ports that died unnoticed (a frozen page hears no onDisconnect). */
  probe(): void {
    this.#broadcast({ type: "state", ...this.session.status });
  }

  dropPorts(): void {
    for (const port of this.#ports) port.drop();
  }

  eachCall(handle: (call: PageCall) => void): void {
    for (const port of this.#ports) for (const call of port.calls) handle(call);
  }

  #endCalls(code: "outcome_unknown", message: string): void {
    this.eachCall((call) => call.end(code, message));
  }

  #broadcast(message: PageNotification): void {
    for (const port of this.#ports) port.send(message);
  }

  /** Said again while nobody answers: a worker can be stopped once more before it has opened its port. */
  async #wakeWorker(): Promise<void> {
    for (let tries = 0; tries < WAKE_TRIES && !this.#holder && extensionAlive(); tries++) {
      const answer: unknown = await chrome.runtime.sendMessage({ type: WAKE_MESSAGE }).catch(() => undefined);
      if (isRecord(answer) && answer.awake === true) return;
    }
  }
}
