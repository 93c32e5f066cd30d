/** What this provider is on the wire. The protocol itself is in `contract/lumo*.ts`. */
import type { ProbeService } from "../../contract/lumo.ts";

export const NAMESPACE = "userscripts";
/** Not translated: it travels to other extensions. */
export const SERVICE_NAME = "Lumo Userscripts";

export function service(): ProbeService {
  return { namespace: NAMESPACE, name: SERVICE_NAME, version: chrome.runtime.getManifest().version };
}
