/** The extension itself as a relay source: its built-in tools, and those of the providers that are switched on. */
import type { ToolResult } from "../../contract/errors.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { PROVIDER_PREFIX } from "../../contract/providers.ts";
import { EXTENSION_SOURCE } from "../../contract/relay-wire.ts";
import type { ProviderHub } from "../mcp/provider-hub.ts";
import { BUILTIN_TOOLS, type BuiltinHost, callBuiltin } from "./builtin-tools.ts";
import type { BackendListener, Hello, SourceBackend } from "./source-backend.ts";

export class BuiltinBackend implements SourceBackend {
  readonly id = EXTENSION_SOURCE;
  readonly tabId = undefined;

  private listener: BackendListener | undefined;

  constructor(
    private readonly host: BuiltinHost,
    private readonly providers: ProviderHub,
  ) {}

  open(listener: BackendListener): void {
    this.listener = listener;
  }

  close(): void {
    this.listener = undefined;
  }

  /** The providers that are switched on, or their tools, are others now. */
  offerChanged(): void {
    this.listener?.toolsChanged();
  }

  held(): void {}
  tabChanged(): void {}
  /** There is no tab to reload, and reloading the extension is not the relay's to decide. */
  reload(): void {}

  /** Does not wait for providers: their tools are told when they are known. */
  prepared(): Promise<void> {
    this.providers.refreshOffered();
    return Promise.resolve();
  }

  hello(): Hello {
    const url = chrome.runtime.getURL("");
    const title = chrome.runtime.getManifest().name;
    return { type: "hello", tabId: this.id, origin: new URL(url).origin, url, title };
  }

  tools(): PageTool[] {
    return [...BUILTIN_TOOLS, ...this.providers.offeredTools];
  }

  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult> {
    return name.startsWith(PROVIDER_PREFIX)
      ? this.providers.call(name, args, "relay", signal)
      : callBuiltin(this.host, name, args, "relay", signal);
  }
}
