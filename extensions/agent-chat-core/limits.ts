/** Counts and sizes of the agent. Bytes are UTF-8 bytes of JSON. */
export const AGENT_LIMITS = {
  /** Model requests of one turn. */
  steps: 24,
  /** Sessions kept; the oldest goes. */
  sessions: 50,
  /** A stored tool result, bytes. */
  storedResult: 256_000,
  /** A tool result as the model sees it, bytes. */
  modelResult: 32_000,
  /** Conversation sent with a request, bytes: beyond it the results of the oldest turns are left out. */
  history: 400_000,
  /** Tools of one request to an `openai-compat` server. */
  openAiTools: 128,
  /** Tries of one model request. */
  llmTries: 4,
  /** `tasks/get` of one task. */
  a2aPolls: 60,
  /** An answer or card of an A2A agent, bytes. */
  a2aAnswer: 2_000_000,
  /** A session's title, characters. */
  title: 80,
} as const;
