/** One connection to the page's MCP server: the official client over our transport. A new one for every attempt. */
import { Client } from "@modelcontextprotocol/client";
import type { PageRuntime } from "../../contract/page-tools.ts";
import { FORM_WAIT_META, isRecord, RUNTIME_CAPABILITY } from "../../contract/tab-channel.ts";
import { PageTransport } from "./page-transport.ts";

/** What the page says is taken as it comes and parsed where it is used: one odd tool must not cost the whole list. */
const UNCHECKED = {
  "~standard": { version: 1 as const, vendor: "webmcp-e2e", validate: (value: unknown) => ({ value }) },
};

/** Our own deadlines decide; the SDK's must not come first. */
const NO_TIMEOUT = 2 ** 31 - 1;

export class PageClient {
  readonly #client = new Client({ name: "webmcp-e2e-content-script", version: "0.1.0" });

  /** Called once when the connection ends, by whichever side. */
  onclose: () => void = () => {};
  onListChanged: () => void = () => {};

  /** Resolves after `initialize`. Never times out: close it to give up. `announced`: the server is known to be there. */
  async connect(announced = false): Promise<void> {
    this.#client.onclose = () => this.onclose();
    this.#client.setNotificationHandler("notifications/tools/list_changed", () => this.onListChanged());
    await this.#client.connect(new PageTransport(announced), { timeout: NO_TIMEOUT });
  }

  /** Known of our own server only. */
  get runtime(): PageRuntime | undefined {
    const told: unknown = this.#client.getServerCapabilities()?.experimental?.[RUNTIME_CAPABILITY];
    const runtime = isRecord(told) ? told.runtime : undefined;
    return runtime === "native" || runtime === "polyfill" ? runtime : undefined;
  }

  /** One page of `tools/list`, unparsed. */
  listPage(cursor: string | undefined): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    return this.#client.request({ method: "tools/list", params }, UNCHECKED, { timeout: NO_TIMEOUT });
  }

  /** An unparsed tool result. `signal` sends MCP's cancellation. */
  callTool(
    name: string,
    args: Record<string, unknown>,
    formWait: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    const params = { name, arguments: args, _meta: { [FORM_WAIT_META]: formWait } };
    return this.#client.request({ method: "tools/call", params }, UNCHECKED, { signal, timeout: NO_TIMEOUT });
  }

  close(): void {
    void this.#client.close();
  }
}
