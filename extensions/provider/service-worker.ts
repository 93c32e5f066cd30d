/** Entry of the provider's worker. Every listener is registered here, before anything is awaited. */
import { onPort } from "./agent/mcp-server.ts";
import { onProbe } from "./agent/probe.ts";
import { refreshBadge } from "./badge.ts";
import { onPageRequest } from "./control.ts";
import { serialised } from "./serial.ts";
import { RESYNC_ALARM, syncRegistrations } from "./userscripts/registration.ts";
import { sweepSources } from "./userscripts/sweep.ts";

chrome.runtime.onMessageExternal.addListener(onProbe);
chrome.runtime.onConnectExternal.addListener(onPort);
chrome.runtime.onMessage.addListener(onPageRequest);
chrome.action.onClicked.addListener(() => void chrome.runtime.openOptionsPage());
chrome.alarms.onAlarm.addListener((alarm) => {
  if (alarm.name === RESYNC_ALARM) void serialised(syncRegistrations);
});

void chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
// what the last worker stored but could not register or remove any more
void serialised(syncRegistrations);
void serialised(sweepSources);
void serialised(refreshBadge);
