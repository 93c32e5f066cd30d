/** Errors of the agent: a code for machines, a sentence that says what to do for people. */
export const AGENT_ERROR_CODES = [
  /** No base URL, model or key. */
  "llm_unconfigured",
  /** 401 or 403. */
  "llm_auth",
  /** 404: the base URL, path or model is wrong. */
  "llm_not_found",
  /** 429 after all tries. */
  "llm_rate_limited",
  /** 5xx after all tries. */
  "llm_server",
  /** Nothing answered, or the stream broke off. */
  "llm_network",
  /** Connected, but silent for too long. */
  "llm_timeout",
  /** 400 that names no tool. */
  "llm_bad_request",
  /** The model's server refuses a tool's schema; the message names the tool. */
  "llm_schema",
  /** The answer is not of the protocol. */
  "llm_protocol",
  /** The turn used up its steps. */
  "step_limit",
  /** A turn is running. */
  "busy",
  /** There is nothing to resend or retry. */
  "nothing_to_do",
  /** The session could not be stored. */
  "storage",
  /** A setting, profile or binding that cannot be used. */
  "invalid",
  /** The agent's card cannot be fetched or used. */
  "a2a_card",
  "a2a_network",
  /** 401 or 403, or a task that asks for credentials. */
  "a2a_auth",
  /** The agent's answer is not of the protocol. */
  "a2a_protocol",
  /** The agent answers with an error, or its task was rejected, cancelled or failed. */
  "a2a_failed",
  "a2a_timeout",
  /** The agent's other tasks took all the time. */
  "a2a_busy",
  "internal",
] as const;

export type AgentErrorCode = (typeof AGENT_ERROR_CODES)[number];

/** As it is shown and stored. `message` is `<what happened>. <what to do>.`, without any key or token. */
export interface AgentProblem {
  code: AgentErrorCode;
  message: string;
  /** The tool that it is about. */
  tool?: string;
}

/** An `Error` that carries an AgentProblem. */
export class AgentFailure extends Error {
  constructor(readonly problem: AgentProblem) {
    super(`${problem.code}: ${problem.message}`);
    this.name = "AgentFailure";
  }

  static of(code: AgentErrorCode, message: string): AgentFailure {
    return new AgentFailure({ code, message });
  }
}

/** The problem of anything thrown. Foreign errors are `internal`, with their own words. */
export function problemOf(cause: unknown): AgentProblem {
  if (cause instanceof AgentFailure) return cause.problem;
  const words = cause instanceof Error ? cause.message : String(cause);
  return { code: "internal", message: `Something unexpected happened: ${words}. Try again.` };
}
