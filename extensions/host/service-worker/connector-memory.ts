/** What the connector must know after the worker was stopped; lives in `chrome.storage.session`. */
import type { Endpoint } from "./relay-socket.ts";

export const CONNECTOR_KEY = "relayConnector";

export interface ConnectorMemory {
  /** A relay was connected here: a fresh worker connects at once. */
  endpoint?: Endpoint;
  /** Nothing was found: only the alarm looks again, first at the last port. */
  waiting?: { step: number; lastPort?: number };
  /** Sources that a relay rejected, with the epoch ms before which they stay away. */
  rejected?: Record<string, { until: number; message: string }>;
}

/** The memory as stored by an earlier run; `undefined` in a fresh browser session. */
export function parseMemory(stored: unknown): ConnectorMemory | undefined {
  return typeof stored === "object" && stored !== null ? (stored as ConnectorMemory) : undefined;
}

export function remember(memory: ConnectorMemory): void {
  void chrome.storage.session.set({ [CONNECTOR_KEY]: memory });
}

/** What outlives the change from one relay to the next. */
export function rejectionsOf({ rejected }: ConnectorMemory): ConnectorMemory {
  return rejected ? { rejected } : {};
}
