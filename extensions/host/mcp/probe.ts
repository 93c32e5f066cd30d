/** L0: asks a provider who it is and how it stands. */
import {
  isExtensionId,
  PROBE_CHANNEL,
  PROBE_TIMEOUT_MS,
  PROBE_VERSION,
  type ProbeRequest,
} from "../../contract/lumo.ts";
import { classify, diedInProbe, INVALID_ID, type ProbeOutcome } from "../../contract/lumo-state.ts";
import type { ProviderState } from "../../contract/providers.ts";

/** The row of the state machine that a provider is in. Never rejects, never stays pending. */
export async function probe(id: string): Promise<ProviderState> {
  if (!isExtensionId(id)) return invalidId();
  const outcome = await ask(id);
  return classify(diedInProbe(outcome) ? await ask(id) : outcome);
}

export function invalidId(): ProviderState {
  return { state: "error", code: INVALID_ID.code, text: INVALID_ID.text };
}

function ask(id: string): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: ProbeOutcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const timer = setTimeout(() => resolve({ kind: "timeout" }), PROBE_TIMEOUT_MS);
    send(id).then(
      (value) => settle({ kind: "answer", value }),
      (cause: unknown) => settle({ kind: "rejected", message: String(cause) }),
    );
  });
}

/** Async, so that what Chrome throws at once is a rejection like any other. */
async function send(id: string): Promise<unknown> {
  const { name, version } = chrome.runtime.getManifest();
  const request: ProbeRequest = {
    channel: PROBE_CHANNEL,
    version: PROBE_VERSION,
    id: crypto.randomUUID(),
    client: { id: chrome.runtime.id, name, version },
  };
  return chrome.runtime.sendMessage<ProbeRequest, unknown>(id, request);
}
