/** Entry of the service worker. Every listener is registered in the first task, or events would not wake it. */
import { WAKE_MESSAGE } from "../../contract/page-tools.ts";
import { PANEL_PORT, type PanelRequest } from "../../contract/panel.ts";
import { HostWorker } from "./host-worker.ts";
import { RELAY_ALARM } from "./relay-connector.ts";

// First of all: content scripts share a process with the page and must not read settings or keys.
void chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });

const worker = new HostWorker();

/** A content script shares the extension's id, so the origin tells whether one of our own pages speaks. */
function isOwnPage(sender: chrome.runtime.MessageSender | undefined): boolean {
  return sender?.id === chrome.runtime.id && sender.origin === location.origin;
}

chrome.runtime.onMessage.addListener((message: { type?: unknown }, sender, sendResponse) => {
  if (message?.type === WAKE_MESSAGE) return answerWake(sendResponse);
  if (typeof message?.type !== "string" || !message.type.startsWith("panel/")) return false;
  if (!isOwnPage(sender)) return false;
  void worker.onPanelRequest(message as PanelRequest).then(sendResponse);
  return true;
});

/**
 * The message has started this worker, and that was its purpose. It is answered once the page is told again that
 * it has a relay: a worker that dies before that leaves the content script without an answer.
 */
function answerWake(sendResponse: (answer: { awake: true }) => void): true {
  void worker.ready.then(() => sendResponse({ awake: true }));
  return true;
}

chrome.runtime.onConnect.addListener((port) => {
  if (port.name === PANEL_PORT && isOwnPage(port.sender)) worker.panels.connect(port);
});

chrome.alarms.onAlarm.addListener((alarm) => {
  if (alarm.name === RELAY_ALARM) void worker.onAlarm();
});

chrome.tabs.onRemoved.addListener((tabId) => void worker.onTabRemoved(tabId));
chrome.tabs.onReplaced.addListener((added, removed) => void worker.onTabReplaced(added, removed));

chrome.storage.local.onChanged.addListener((changes) => void worker.onLocalChanged(changes));
chrome.storage.session.onChanged.addListener((changes) => void worker.onSessionChanged(changes));

// Their events start the worker; what there is to do then, every start does.
chrome.runtime.onInstalled.addListener(() => {});
chrome.runtime.onStartup.addListener(() => {});

void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
