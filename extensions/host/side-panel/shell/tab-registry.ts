/** The panel's tabs, in their order. The code of a tab is loaded when it is first shown. */
import type { PanelTab } from "../ui/elements.ts";
import type { IconName } from "../ui/icons.ts";

export const TAB_IDS = ["chat", "tools", "relay", "tabs", "a2a", "settings", "providers"] as const;
export type TabId = (typeof TAB_IDS)[number];

/** A module that says which element is the tab's content. */
interface TabModule {
  default: new () => PanelTab;
}

export interface TabEntry {
  icon: IconName;
  load: () => Promise<TabModule>;
}

export const TABS: Record<TabId, TabEntry> = {
  chat: { icon: "chat", load: () => import("../chat/chat-tab.ts") },
  tools: { icon: "tools", load: () => import("../tools/tools-tab.ts") },
  relay: { icon: "relay", load: () => import("../relay/relay-tab.ts") },
  tabs: { icon: "tabs", load: () => import("../data-source/data-source-tab.ts") },
  a2a: { icon: "agents", load: () => import("../a2a/a2a-tab.ts") },
  settings: { icon: "settings", load: () => import("../settings/settings-tab.ts") },
  providers: { icon: "providers", load: () => import("../providers/providers-tab.ts") },
};

/** Tools need nothing set up, so a panel that remembers no tab shows them. */
export const FIRST_TAB: TabId = "tools";

export function isTabId(value: unknown): value is TabId {
  return (TAB_IDS as readonly unknown[]).includes(value);
}

/** `element.dispatchEvent(new ShowTab("settings"))` from anywhere inside the panel goes to that tab. */
export class ShowTab extends CustomEvent<TabId> {
  constructor(tab: TabId) {
    super("lumo-show-tab", { detail: tab, bubbles: true, composed: true });
  }
}
