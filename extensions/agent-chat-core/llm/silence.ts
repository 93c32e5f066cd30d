/** Gives up on a stream that says nothing for too long. */
import { silent } from "./failure.ts";

/**
 * The values of `open(signal)`. The signal that `open` gets is aborted with the outer one, when the reader stops, or
 * after `limit` milliseconds without a value; the last throws `llm_timeout`. An outer abort throws its reason.
 */
export async function* withSilenceLimit<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  outer: AbortSignal,
  limit: number,
): AsyncGenerator<T> {
  const silence = new AbortController();
  const signal = AbortSignal.any([outer, silence.signal]);
  const wait = () => setTimeout(() => silence.abort(silent(limit)), limit);
  let timer = wait();
  try {
    for await (const value of open(signal)) {
      clearTimeout(timer);
      yield value;
      timer = wait();
    }
    // The vendors' streams end quietly when they are aborted.
    signal.throwIfAborted();
  } catch (cause) {
    signal.throwIfAborted();
    throw cause;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}
