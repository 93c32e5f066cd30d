/** L1: one port, one transport, one official client. Never reused: after its end there is a new one of each. */
import { Client } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { isExtensionId, isRecord, LUMO_LIMITS, MCP_REVISION, PORT_NAME } from "../../contract/lumo.ts";
import { PortTransport } from "./port-transport.ts";

/** A provider's words are taken as they come and parsed where they are used: one odd tool must not cost the list. */
const UNCHECKED = {
  "~standard": { version: 1 as const, vendor: "webmcp-e2e", validate: (value: unknown) => ({ value }) },
};

/** The caller's own deadline decides about a call; the SDK's must not come first. */
const NO_TIMEOUT = 2 ** 31 - 1;

export interface LiveEvents {
  /** The session ended, by whichever side; called once. */
  closed(): void;
  listChanged(): void;
}

export class LiveSession {
  readonly #client: Client;
  readonly #transport: PortTransport;

  /** `patience`: milliseconds for the handshake, and for a whole listing. */
  private constructor(
    port: chrome.runtime.Port,
    events: LiveEvents,
    private readonly patience: number,
  ) {
    const { name, version } = chrome.runtime.getManifest();
    this.#transport = new PortTransport(port);
    this.#client = new Client(
      { name, version },
      {
        supportedProtocolVersions: [MCP_REVISION],
        jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
      },
    );
    this.#client.onclose = () => events.closed();
    this.#client.setNotificationHandler("notifications/tools/list_changed", () => events.listChanged());
  }

  /** Opens a port and does a fresh `initialize` over it. Rejects when the peer closes the port or is no server. */
  static async open(id: string, events: LiveEvents, patience: number): Promise<LiveSession> {
    if (!isExtensionId(id)) throw new Error("not an extension id");
    const port = chrome.runtime.connect(id, { name: PORT_NAME });
    const session = new LiveSession(port, events, patience);
    try {
      await session.#client.connect(session.#transport, { timeout: patience });
    } catch (cause) {
      await session.close();
      throw cause;
    }
    return session;
  }

  get closed(): boolean {
    return this.#transport.closed;
  }

  /** Every entry of the listing, unparsed; pages are followed until there is one more than may be taken over. */
  async list(): Promise<unknown[]> {
    const limit = LUMO_LIMITS.toolsPerProvider.value;
    let entries: unknown[] = [];
    let cursor: string | undefined;
    const deadline = AbortSignal.timeout(this.patience);
    // A page may be empty and still name a next one: pages are bounded like tools.
    for (let page = 0; page <= limit && entries.length <= limit; page++) {
      const answer = await this.#listPage(cursor, deadline);
      entries = entries.concat(isRecord(answer) && Array.isArray(answer.tools) ? answer.tools : []);
      cursor = isRecord(answer) && typeof answer.nextCursor === "string" ? answer.nextCursor : undefined;
      if (cursor === undefined) break;
    }
    return entries;
  }

  /** The unparsed result. Rejects with NotSent, with the SDK's error when the port closes, or a JSON-RPC error. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const params = { name, arguments: args };
    return this.#client.request({ method: "tools/call", params }, UNCHECKED, { signal, timeout: NO_TIMEOUT });
  }

  close(): Promise<void> {
    // The client knows of the transport only once it is connected.
    return this.#transport.close();
  }

  #listPage(cursor: string | undefined, signal: AbortSignal): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    return this.#client.request({ method: "tools/list", params }, UNCHECKED, { signal, timeout: NO_TIMEOUT });
  }
}
