/** What a panel asks of the providers. */
import type { PanelAnswer, PanelRequest } from "../../contract/panel.ts";
import type { ProviderRequest } from "../../contract/providers.ts";
import type { ProviderHub } from "./provider-hub.ts";

const TYPES: readonly PanelRequest["type"][] = [
  "panel/addProviders",
  "panel/removeProvider",
  "panel/retryProvider",
  "panel/offerProvider",
];

export function isProviderRequest(request: PanelRequest): request is ProviderRequest {
  return TYPES.includes(request.type);
}

export async function answerProviderRequest(
  hub: ProviderHub,
  request: ProviderRequest,
): Promise<PanelAnswer> {
  if (request.type === "panel/addProviders") return { refused: await hub.add(request.ids) };
  if (request.type === "panel/removeProvider") await hub.remove(request.id);
  else if (request.type === "panel/offerProvider") await hub.offer(request.id, request.offered);
  else hub.retry(request.id);
  return { done: true };
}
