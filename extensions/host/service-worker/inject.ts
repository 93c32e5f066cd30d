/** Content scripts for tabs that were open before the extension was installed, updated or enabled. */
import { PAGE_TOOLS_PORT } from "../../contract/page-tools.ts";

const WEB_PAGE = ["http://*/*", "https://*/*"];

/**
 * Injects into every open web page in which no content script of this extension listens; once a browser session
 * and version, the worker's storage keeps count. `injected` is told each tab.
 */
export async function injectIntoOpenTabs(injected: (tab: chrome.tabs.Tab) => void): Promise<void> {
  const tabs = await chrome.tabs.query({ url: WEB_PAGE, discarded: false });
  await Promise.all(tabs.map((tab) => injectWhereSilent(tab, injected)));
}

async function injectWhereSilent(
  tab: chrome.tabs.Tab,
  injected: (tab: chrome.tabs.Tab) => void,
): Promise<void> {
  const tabId = tab.id;
  if (tabId === undefined || (await listens(tabId))) return;
  const target = { tabId, frameIds: [0] };
  try {
    const early = { target, injectImmediately: true };
    await chrome.scripting.executeScript({ ...early, files: ["main-world.js"], world: "MAIN" });
    await chrome.scripting.executeScript({ ...early, files: ["content-script.js"] });
    injected(tab);
  } catch {
    // Pages that the browser protects (its store, policy) take no script; they show `none` with the reason.
  }
}

/** A content script sends its state over each new port; where none runs, the port falls at once. */
function listens(tabId: number): Promise<boolean> {
  return new Promise((resolve) => {
    const port = chrome.tabs.connect(tabId, { name: PAGE_TOOLS_PORT, frameId: 0 });
    port.onMessage.addListener(() => {
      port.disconnect();
      resolve(true);
    });
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError;
      resolve(false);
    });
  });
}
