/** The extension's own tools `chrome_extension_*`: what they are, and their execution. */
import { ChainFailure, errorResult, type ToolResult } from "../../contract/errors.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { type DocumentInfoRequest, readDocument } from "./document-info.ts";

/** What the tools may know of the worker. */
export interface BuiltinHost {
  selectedTabIds(): Promise<number[]>;
  /** All tabs over the relay, not only the selected ones: a setting, off by default. */
  listAllTabs(): boolean;
}

/** Over the relay only selected tabs may be looked at; the panel is the user. */
export type Caller = "relay" | "panel";

type Args = Record<string, unknown>;
type Execute = (host: BuiltinHost, args: Args, caller: Caller) => Promise<Record<string, unknown>>;

const NO_ARGUMENTS = { type: "object", properties: {}, additionalProperties: false };
const READ_ONLY = { readOnlyHint: true, openWorldHint: false };
const FLAGS = ["includeOutline", "includeText", "includeNonTextElements"] as const;

const DOCUMENT_INFO: PageTool = {
  name: "chrome_extension_get_document_info",
  title: "Document info",
  description:
    "Reads the document of a selected tab: URL, title, language, description; on demand its headings, visible text and non-text elements. What it returns is text of the page.",
  inputSchema: {
    type: "object",
    properties: {
      tabId: { type: "integer", description: "A selected tab; without it the first selected one." },
      includeOutline: { type: "boolean", description: "Headings with their level." },
      includeText: { type: "boolean", description: "Visible text, at most 200,000 characters." },
      includeNonTextElements: { type: "boolean", description: "Images, media, frames: kind, label, source." },
    },
    additionalProperties: false,
  },
  annotations: READ_ONLY,
};

const LIST_TABS: PageTool = {
  name: "chrome_extension_list_tabs",
  title: "List tabs",
  description:
    "Lists the browser's tabs that may be seen: id, title, URL, whether active and whether selected.",
  inputSchema: NO_ARGUMENTS,
  annotations: READ_ONLY,
};

const SELECTED_TABS: PageTool = {
  name: "chrome_extension_get_selected_tabs",
  title: "Selected tabs",
  description: "Lists the tabs whose tools are offered at present.",
  inputSchema: NO_ARGUMENTS,
  annotations: READ_ONLY,
};

const TOOLS = new Map<string, { tool: PageTool; execute: Execute }>([
  [DOCUMENT_INFO.name, { tool: DOCUMENT_INFO, execute: documentInfo }],
  [LIST_TABS.name, { tool: LIST_TABS, execute: listTabs }],
  [SELECTED_TABS.name, { tool: SELECTED_TABS, execute: selectedTabs }],
]);

export const BUILTIN_TOOLS: PageTool[] = [...TOOLS.values()].map((entry) => entry.tool);

export function isBuiltin(name: string): boolean {
  return TOOLS.has(name);
}

/** Runs one built-in; never rejects. `signal` ends the wait, a read that is under way is dropped. */
export async function callBuiltin(
  host: BuiltinHost,
  name: string,
  args: Args,
  caller: Caller,
  signal: AbortSignal,
): Promise<ToolResult> {
  const entry = TOOLS.get(name);
  if (!entry)
    return errorResult(failure("unknown_tool", `There is no built-in tool "${name}". List the tools.`).error);
  try {
    refuseUnknownMembers(entry.tool, args);
    return asResult(await Promise.race([entry.execute(host, args, caller), aborted(signal)]));
  } catch (cause) {
    return errorResult(asFailure(cause).error);
  }
}

function asResult(value: Record<string, unknown>): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

function failure(
  code: "unknown_tool" | "invalid_args" | "denied" | "not_ready" | "cancelled",
  message: string,
) {
  return ChainFailure.of(code, "no", message);
}

function asFailure(cause: unknown): ChainFailure {
  if (cause instanceof ChainFailure) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  return failure("not_ready", `The browser refused: ${text}. Choose a tab that shows a web page.`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const message = "The call was cancelled. Call again if the answer is still wanted.";
    signal.addEventListener("abort", () => reject(failure("cancelled", message)), { once: true });
  });
}

function refuseUnknownMembers(tool: PageTool, args: Args): void {
  const known = Object.keys(tool.inputSchema.properties as Args);
  const unknown = Object.keys(args).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw failure(
    "invalid_args",
    `${tool.name} has no argument "${unknown}". It takes: ${known.join(", ") || "none"}.`,
  );
}

function flag(args: Args, name: (typeof FLAGS)[number]): boolean {
  const value = args[name] ?? false;
  if (typeof value === "boolean") return value;
  throw failure("invalid_args", `The argument "${name}" is no boolean. Give true or false.`);
}

async function documentInfo(host: BuiltinHost, args: Args, caller: Caller): Promise<Record<string, unknown>> {
  const request: DocumentInfoRequest = {
    includeOutline: flag(args, "includeOutline"),
    includeText: flag(args, "includeText"),
    includeNonTextElements: flag(args, "includeNonTextElements"),
  };
  const tabId = await wantedTab(host, args.tabId, caller);
  const target = { tabId, frameIds: [0] };
  const [frame] = await chrome.scripting.executeScript({ target, func: readDocument, args: [request] });
  if (!frame?.result) throw failure("not_ready", `Tab ${tabId} has no document to read. Load a page in it.`);
  return { tabId, ...frame.result };
}

async function wantedTab(host: BuiltinHost, tabId: unknown, caller: Caller): Promise<number> {
  const selected = await host.selectedTabIds();
  const wanted = tabId ?? selected[0];
  if (wanted === undefined) throw failure("not_ready", "No tab is selected. Select one in the side panel.");
  if (typeof wanted !== "number" || !Number.isInteger(wanted)) {
    throw failure("invalid_args", 'The argument "tabId" is no whole number. Take one from the list of tabs.');
  }
  if (caller === "relay" && !selected.includes(wanted)) {
    throw failure("denied", `Tab ${wanted} is not selected. Ask the user to select it in the side panel.`);
  }
  return wanted;
}

function tabEntry(tab: chrome.tabs.Tab, selected: number[]): Record<string, unknown> {
  const { id, windowId, title = "", url = "", active } = tab;
  return { tabId: id, windowId, title, url, active, selected: id !== undefined && selected.includes(id) };
}

async function listTabs(host: BuiltinHost, _args: Args, caller: Caller): Promise<Record<string, unknown>> {
  const [tabs, selected] = await Promise.all([chrome.tabs.query({}), host.selectedTabIds()]);
  const everything = caller === "panel" || host.listAllTabs();
  const entries = tabs.map((tab) => tabEntry(tab, selected));
  return { tabs: entries.filter((entry) => everything || entry.selected) };
}

async function selectedTabs(host: BuiltinHost): Promise<Record<string, unknown>> {
  const [tabs, selected] = await Promise.all([chrome.tabs.query({}), host.selectedTabIds()]);
  return { tabs: tabs.map((tab) => tabEntry(tab, selected)).filter((entry) => entry.selected) };
}
