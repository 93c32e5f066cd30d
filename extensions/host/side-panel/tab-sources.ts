/** The selected tabs as the panel sees them: one page link each, straight to the content script. */

import { parseSelection, TAB_SELECTION_KEY } from "../../contract/settings.ts";
import { TIMINGS_KEY } from "../../contract/timings.ts";
import { PageLink, type PageSnapshot, type RunningCall } from "../page-port/page-link.ts";
import { type ListedTool, nameTools } from "./tool-catalogue.ts";

export interface TabSource {
  tabId: number;
  tab: chrome.tabs.Tab | undefined;
  snapshot: PageSnapshot;
  tools: ListedTool[];
}

interface Entry extends TabSource {
  link: PageLink;
}

export class TabSources {
  private readonly entries = new Map<number, Entry>();
  private overrides: Record<string, unknown> | undefined;

  constructor(private readonly changed: () => void) {}

  /** In the order of the selection. */
  get list(): TabSource[] {
    return [...this.entries.values()];
  }

  async start(): Promise<void> {
    chrome.storage.session.onChanged.addListener((changes) => {
      const change = changes[TAB_SELECTION_KEY];
      if (change) this.arrange(parseSelection(change.newValue)?.tabIds ?? []);
    });
    chrome.tabs.onUpdated.addListener((tabId, _change, tab) => this.tabUpdated(tabId, tab));
    const { [TIMINGS_KEY]: overrides } = await chrome.storage.local.get<Record<string, unknown>>(TIMINGS_KEY);
    if (typeof overrides === "object" && overrides !== null)
      this.overrides = overrides as Record<string, unknown>;
    const stored = await chrome.storage.session.get<Record<string, unknown>>(TAB_SELECTION_KEY);
    this.arrange(parseSelection(stored[TAB_SELECTION_KEY])?.tabIds ?? []);
  }

  call(tabId: number, name: string, args: Record<string, unknown>): RunningCall | undefined {
    return this.entries.get(tabId)?.link.call(name, args);
  }

  private arrange(tabIds: readonly number[]): void {
    for (const [tabId, entry] of this.entries) {
      if (tabIds.includes(tabId)) continue;
      this.entries.delete(tabId);
      entry.link.close();
    }
    for (const tabId of tabIds) if (!this.entries.has(tabId)) this.add(tabId);
    this.changed();
  }

  private add(tabId: number): void {
    const changed = (snapshot: PageSnapshot) => void this.take(entry, snapshot);
    const link = new PageLink(tabId, { changed, overrides: this.overrides });
    const entry: Entry = { tabId, tab: undefined, snapshot: link.snapshot, tools: [], link };
    this.entries.set(tabId, entry);
    link.open();
    void chrome.tabs.get(tabId).then(
      (tab) => this.learn(entry, tab),
      () => {},
    );
  }

  private tabUpdated(tabId: number, tab: chrome.tabs.Tab): void {
    const entry = this.entries.get(tabId);
    if (!entry) return;
    entry.link.nudge();
    this.learn(entry, tab);
  }

  private learn(entry: Entry, tab: chrome.tabs.Tab): void {
    entry.tab = tab;
    this.changed();
  }

  private async take(entry: Entry, snapshot: PageSnapshot): Promise<void> {
    entry.snapshot = snapshot;
    const tools = await nameTools(entry.tabId, snapshot.tools);
    // A later snapshot may have come while names were made.
    if (entry.snapshot === snapshot) entry.tools = tools;
    this.changed();
  }
}
