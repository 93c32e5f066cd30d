/** Every duration of the agent, in milliseconds. Each can be replaced, so that tests run at a fraction. */
export const AGENT_TIMINGS = {
  /** A tool that has given no result by then is cancelled. */
  tool: 60_000,
  /** After an abort a tool may still say how it ended for so long. */
  abortGrace: 1_000,
  /** A model that sends nothing for so long, before or within its answer, is given up. */
  llmSilence: 120_000,
  /** First pause after 429 or 5xx; it doubles each time. */
  backoffFirst: 1_000,
  /** Longest pause, also where the server's `retry-after` asks for more. */
  backoffMax: 30_000,
  /** Streamed text is stored at most this often. */
  saveEvery: 1_000,
  /** Pause between two `tasks/get`. */
  a2aPoll: 2_000,
  /** One task with all its polling, and the wait for its turn. */
  a2aTask: 180_000,
  /** One HTTP request to an agent, the card's included. */
  a2aRequest: 30_000,
} as const satisfies Record<string, number>;

export type AgentTimings = { -readonly [K in keyof typeof AGENT_TIMINGS]: number };

/** The table with overrides laid over it. Entries that are no positive finite number are ignored. */
export function agentTimings(overrides: unknown = {}): AgentTimings {
  const table: AgentTimings = { ...AGENT_TIMINGS };
  if (typeof overrides !== "object" || overrides === null) return table;
  for (const [key, value] of Object.entries(overrides)) {
    if (key in table && typeof value === "number" && Number.isFinite(value) && value > 0) {
      table[key as keyof AgentTimings] = value;
    }
  }
  return table;
}
