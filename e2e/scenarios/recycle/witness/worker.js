// Says which start of the worker answers, and keeps on disk which life-cycle events reached it.
const birth = crypto.randomUUID();
let writing = Promise.resolve();

function note(event) {
  writing = writing.then(async () => {
    const { events = [] } = await chrome.storage.local.get("events");
    await chrome.storage.local.set({ events: [...events, event] });
  });
}

chrome.runtime.onInstalled.addListener(({ reason }) => note(`installed:${reason}`));
chrome.runtime.onStartup.addListener(() => note("startup"));
chrome.runtime.onMessage.addListener((_message, _sender, sendResponse) => sendResponse(birth));
