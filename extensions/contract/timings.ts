/**
 * Every duration of the chain, in milliseconds unless a name says otherwise (spec chain.md, "timings").
 * Mirrored by `webmcp_e2e.contract.TIMINGS`; a test compares the two.
 * Development overrides: the object `webmcpTimings` in `chrome.storage.local` replaces single entries.
 */
export const TIMINGS = {
  /** One attempt of the isolated world's MCP client to reach the page's server. */
  handshakeAttempt: 10_000,
  /** Pause between two attempts. */
  handshakePause: 1_000,
  /** A form tool without autosubmit that is still open answers `waiting_for_user`. */
  formWait: 25_000,
  /** While a call is in flight the worker calls a cheap extension API this often. */
  keepAlive: 20_000,
  /** The browser's own deadline of a call. */
  browserDeadline: 50_000,
  /** The relay's deadline of a call (`--invoke-timeout`). */
  relayDeadline: 55_000,
  /** The deadline of a relay that joined another one; MCP clients give up at 60 s. */
  joinedRelayDeadline: 57_000,
  /** The relay pings every source this often. */
  heartbeatPing: 15_000,
  /** Without a pong for so long the relay closes the socket with 1001. */
  heartbeatDead: 25_000,
  /** First pause before the same endpoint is tried again. */
  reconnectFirst: 500,
  /** Longest pause between two tries of the same endpoint. */
  reconnectMax: 3_000,
  /** After the tries and one full scan: alarms at these distances; the last one repeats. */
  alarmFirst: 30_000,
  alarmSecond: 60_000,
  alarmRest: 120_000,
  /** After `hello/rejected` nothing is tried for so long. */
  rejectionPause: 120_000,
  /** One probe of one port while scanning. */
  probe: 1_000,
  /** A source that went without a close 1000 keeps its tools listed for so long. */
  sourceGrace: 10_000,
  /** `notifications/tools/list_changed` are gathered for so long. */
  listChangedDebounce: 16,
} as const satisfies Record<string, number>;

/** Numbers of the schedules that are no durations. */
export const SCHEDULE = {
  handshakeAttempts: 5,
  reconnectTries: 5,
  reconnectFactor: 1.5,
  /** Each pause is varied by this share in both directions. */
  reconnectJitter: 0.15,
} as const;

export type Timings = { -readonly [K in keyof typeof TIMINGS]: number };

/** Key in `chrome.storage.local` of the development overrides. */
export const TIMINGS_KEY = "webmcpTimings";

/** The table with the overrides laid over it; entries that are no positive finite number are ignored. */
export function withOverrides(overrides: unknown): Timings {
  const table: Timings = { ...TIMINGS };
  if (typeof overrides !== "object" || overrides === null) return table;
  for (const [key, value] of Object.entries(overrides)) {
    if (key in table && typeof value === "number" && Number.isFinite(value) && value > 0) {
      table[key as keyof Timings] = value;
    }
  }
  return table;
}
