/** What happened in the panel, newest last, kept over its closing; a person exports it to report a problem. */
import { LogStore } from "./log-store.ts";
import { redact, redactText, SECRET_KEYS, secretForms } from "./redact.ts";

export const LOG_RING = 500;
/** Characters of one entry's data; what is longer is cut. */
export const ENTRY_LIMIT = 4_000;

export type LogKind = "panel" | "tool" | "relay" | "provider" | "llm" | "a2a" | "settings";

export interface LogEntry {
  /** ISO 8601. */
  at: string;
  kind: LogKind;
  /** What happened, as a short word: `call`, `result`, `error`… */
  event: string;
  /** JSON; a string that ends with `…` where it was cut. */
  data?: unknown;
}

export class PanelLog {
  private readonly store = new LogStore<LogEntry>(LOG_RING);
  /** Ends when everything that was added is stored. */
  private stored: Promise<void> = Promise.resolve();

  /** Never throws and never waits. What is a secret by its name or looks, or is stored as one, is never written down. */
  add(kind: LogKind, event: string, data?: unknown): void {
    const entry: LogEntry = { at: new Date().toISOString(), kind, event };
    if (data !== undefined) entry.data = redact(data);
    // A log that cannot be written is no reason to disturb what it tells about.
    this.stored = this.stored.then(() => this.write(entry)).catch(() => {});
  }

  /** How many entries there are. */
  async size(): Promise<number> {
    await this.stored;
    return this.store.count();
  }

  /** JSON Lines, one entry a line, without any of the secrets that are stored in this browser by now. */
  async jsonLines(): Promise<string> {
    await this.stored;
    const secrets = await storedSecrets();
    const entries = await this.store.all();
    return entries.map((entry) => `${JSON.stringify(redact(entry, secrets))}\n`).join("");
  }

  async clear(): Promise<void> {
    await this.stored;
    await this.store.clear();
  }

  /** Secrets go before anything is cut: half a key is no known key any more. */
  private async write({ at, kind, event, data }: LogEntry): Promise<void> {
    const secrets = await storedSecrets();
    const entry: LogEntry = { at, kind, event: redactText(event, secrets) };
    if (data !== undefined) entry.data = bounded(redact(data, secrets));
    await this.store.append(entry);
  }
}

async function storedSecrets(): Promise<string[]> {
  return secretForms(await chrome.storage.local.get([...SECRET_KEYS]));
}

function bounded(data: unknown): unknown {
  const text = JSON.stringify(data) ?? "null";
  return text.length <= ENTRY_LIMIT ? data : `${text.slice(0, ENTRY_LIMIT)}…`;
}
