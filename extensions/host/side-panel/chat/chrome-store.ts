/** The core's store over `chrome.storage.local`. */
import { AgentFailure, type Store } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";

export class ChromeStore implements Store {
  async get(key: string): Promise<unknown> {
    const values = await chrome.storage.local.get<Record<string, unknown>>(key);
    return values[key];
  }

  /** Rejects with the code `storage` and what to do where the quota is used up or the disk refuses. */
  async set(key: string, value: unknown): Promise<void> {
    try {
      await chrome.storage.local.set({ [key]: value });
    } catch (cause) {
      throw AgentFailure.of("storage", refusal(cause));
    }
  }

  remove(key: string): Promise<void> {
    return chrome.storage.local.remove(key);
  }

  /** A lock of the extension's origin, so that it holds between panels; it ends with its document. */
  async exclusive<T>(task: () => Promise<T>): Promise<T> {
    return await navigator.locks.request("agent-store", task);
  }
}

function refusal(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  return /quota/i.test(words) ? t("storageFull") : t("storageFailed", words);
}
