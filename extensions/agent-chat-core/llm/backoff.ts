/** Tries again while a model's server asks for patience. */
import { AGENT_LIMITS } from "../limits.ts";
import type { Backoff } from "../session/session.ts";
import type { AgentTimings } from "../timings.ts";
import { pause } from "../waiting.ts";
import { LlmFailure } from "./failure.ts";
import type { ModelEvent, ModelRequest, ModelStream } from "./model.ts";

export interface BackoffOptions {
  timings: Pick<AgentTimings, "backoffFirst" | "backoffMax">;
  /** Called with the pause that begins, and with `undefined` when it is over. */
  waiting: (backoff: Backoff | undefined) => void;
}

/** Pauses differ by up to this share, so that several panels do not come back together. */
const JITTER = 0.2;

/**
 * The stream's events. A failure that may pass (429, 5xx, no connection) is tried again, `AGENT_LIMITS.llmTries` times
 * in all; once a part of the answer is out, no longer, because it would come twice.
 */
export async function* withBackoff(
  stream: ModelStream,
  request: ModelRequest,
  signal: AbortSignal,
  options: BackoffOptions,
): AsyncGenerator<ModelEvent> {
  for (let tries = 1; ; tries++) {
    let begun = false;
    try {
      for await (const event of stream(request, signal)) {
        begun = true;
        yield event;
      }
      return;
    } catch (cause) {
      signal.throwIfAborted();
      if (begun || tries === AGENT_LIMITS.llmTries || !mayPass(cause)) throw cause;
      await waitFor(cause, tries, signal, options);
    }
  }
}

function mayPass(cause: unknown): cause is LlmFailure {
  return cause instanceof LlmFailure && cause.retryable;
}

async function waitFor(failure: LlmFailure, tries: number, signal: AbortSignal, options: BackoffOptions) {
  const ms = pauseAfter(failure, tries, options.timings);
  const code = failure.problem.code as Backoff["code"];
  options.waiting({ code, tries, of: AGENT_LIMITS.llmTries, nextTryAt: Date.now() + ms });
  await pause(ms, signal).finally(() => options.waiting(undefined));
}

function pauseAfter(
  { retryAfter }: LlmFailure,
  tries: number,
  { backoffFirst, backoffMax }: BackoffOptions["timings"],
): number {
  const grown = backoffFirst * 2 ** (tries - 1) * (1 + JITTER * (Math.random() * 2 - 1));
  return Math.min(backoffMax, Math.max(grown, retryAfter ?? 0));
}
