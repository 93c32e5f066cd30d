/** What the page shows: the store as it is now, read again at every change. The worker does the writing. */
import { isRecord } from "../../contract/lumo.ts";
import { readStore, type Store } from "../agent/store.ts";
import type { PageAnswer, PageRequest } from "../requests.ts";
import { notReadyReason } from "../userscripts/readiness.ts";
import { REFUSED_KEY } from "../userscripts/registration.ts";

export interface PageState extends Store {
  /** Why the browser runs no scripts; `undefined` if it does. */
  notReady: string | undefined;
  /** Chrome's message for scripts that it would not take, by uuid. */
  refusedScripts: Record<string, string>;
}

function textsOf(stored: unknown): Record<string, string> {
  return isRecord(stored)
    ? Object.fromEntries(Object.entries(stored).map(([key, text]) => [key, String(text)]))
    : {};
}

export async function readState(): Promise<PageState> {
  const [store, notReady, session] = await Promise.all([
    readStore(),
    notReadyReason(),
    chrome.storage.session.get(REFUSED_KEY),
  ]);
  return { ...store, notReady, refusedScripts: textsOf(session[REFUSED_KEY]) };
}

/** Calls back at every change of the store, and when the page is looked at again: the toggle has no event. */
export function watchState(changed: () => void): () => void {
  const onFocus = () => void ask({ type: "registrations/sync" }).then(changed);
  chrome.storage.onChanged.addListener(changed);
  window.addEventListener("focus", onFocus);
  return () => {
    chrome.storage.onChanged.removeListener(changed);
    window.removeEventListener("focus", onFocus);
  };
}

/** Asks the worker; never rejects. */
export async function ask(request: PageRequest): Promise<PageAnswer> {
  try {
    const answer: PageAnswer | undefined = await chrome.runtime.sendMessage(request);
    return answer ?? { ok: false, message: "The worker gave no answer. Try again." };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Event that carries a request from a component up to the page. */
export class AskEvent extends CustomEvent<PageRequest> {
  constructor(request: PageRequest) {
    super("ask", { detail: request, bubbles: true, composed: true });
  }
}
