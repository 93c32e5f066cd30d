/** The single owner of `relayTabSelection`: which tabs feed the panel and the relay. */
import { parseSelection, TAB_SELECTION_KEY } from "../../contract/settings.ts";

export interface SelectionOptions {
  /** Tabs that must stay selected because a call runs in them. */
  busyTabs(): Set<number>;
  changed(tabIds: readonly number[]): void;
}

export class TabSourceManager {
  tabIds: readonly number[] = [];
  /** Writes whose change event is still to come: it must not bring an older selection back. */
  private readonly ownWrites: string[] = [];

  constructor(private readonly options: SelectionOptions) {}

  /** First call of a worker's life; without a stored selection it is the active tab of the last focused window. */
  async start(stored: unknown): Promise<void> {
    const selection = parseSelection(stored);
    if (selection) this.tabIds = selection.tabIds;
    else await this.startAfresh();
  }

  /** A panel document was opened: its window's active tab, unless a call runs in a selected tab. */
  async panelOpened(windowId: number): Promise<void> {
    if (this.someBusy()) return;
    const active = await activeTab({ active: true, windowId });
    if (active !== undefined && !this.someBusy()) this.select([active]);
  }

  select(tabIds: readonly number[]): void {
    if (this.take(tabIds)) this.store();
  }

  /** The stored value was changed by someone else (a test, a second instance): what is stored is the truth. */
  adopt(stored: unknown): void {
    const selection = parseSelection(stored);
    const own = this.ownWrites.indexOf(selection?.tabIds.join() ?? "");
    if (own >= 0) this.ownWrites.splice(0, own + 1);
    else if (selection) this.take(selection.tabIds);
  }

  tabClosed(tabId: number): void {
    if (this.tabIds.includes(tabId)) this.select(this.tabIds.filter((id) => id !== tabId));
  }

  /** A discarded or prerendered tab goes on under another id. */
  tabReplaced(added: number, removed: number): void {
    if (this.tabIds.includes(removed)) this.select(this.tabIds.map((id) => (id === removed ? added : id)));
  }

  private someBusy(): boolean {
    const busy = this.options.busyTabs();
    return this.tabIds.some((id) => busy.has(id));
  }

  private async startAfresh(): Promise<void> {
    const active = await activeTab({ active: true, lastFocusedWindow: true });
    this.tabIds = active === undefined ? [] : [active];
    this.store();
  }

  private store(): void {
    this.ownWrites.push(this.tabIds.join());
    void chrome.storage.session.set({ [TAB_SELECTION_KEY]: { tabIds: [...this.tabIds] } });
  }

  private take(tabIds: readonly number[]): boolean {
    if (tabIds.join() === this.tabIds.join()) return false;
    this.tabIds = [...tabIds];
    this.options.changed(this.tabIds);
    return true;
  }
}

async function activeTab(query: chrome.tabs.QueryInfo): Promise<number | undefined> {
  const [tab] = await chrome.tabs.query(query);
  return tab?.id;
}
