/** What a relay source stands for: a selected tab, or the extension itself. */
import type { ToolResult } from "../../contract/errors.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import type { BrowserToRelay } from "../../contract/relay-wire.ts";

export type Hello = Extract<BrowserToRelay, { type: "hello" }>;

export interface SourceBackend {
  /** `hello.tabId`. */
  readonly id: string;
  /** The tab, where there is one. */
  readonly tabId: number | undefined;
  /** Begins to reach the page; called while the socket is still being opened. */
  open(listener: BackendListener): void;
  close(): void;
  /** Resolves when `tools` and `hello` are worth telling (bounded). */
  prepared(): Promise<void>;
  hello(): Hello;
  tools(): PageTool[];
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
  /** Whether a relay socket is held for it, or on its way. */
  held(held: boolean): void;
  reload(): void;
  /** The tab navigated, finished loading, changed its title or got a content script. */
  tabChanged(tab: chrome.tabs.Tab): void;
}

export interface BackendListener {
  toolsChanged(): void;
  helloChanged(): void;
}

/** Longest title and URL that a hello carries: a page chooses both. */
export const HELLO_TEXT_LIMIT = 2_048;

/** The hello of a tab, from what the browser says about it and never from the page. */
export function tabHello(tabId: number, tab: chrome.tabs.Tab | undefined): Hello {
  const hello: Hello = { type: "hello", tabId: String(tabId) };
  const url = tab?.url;
  if (url) {
    const { origin } = new URL(url);
    if (origin !== "null") hello.origin = origin;
    hello.url = url.length <= HELLO_TEXT_LIMIT ? url : origin;
  }
  if (tab?.title) hello.title = tab.title.slice(0, HELLO_TEXT_LIMIT);
  const icon = tab?.favIconUrl;
  if (icon && /^https?:/.test(icon) && icon.length <= HELLO_TEXT_LIMIT) hello.iconUrl = icon;
  return hello;
}
