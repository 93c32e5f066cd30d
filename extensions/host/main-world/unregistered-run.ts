/** A tool of the polyfill that is unregistered while it runs, by itself for instance: its result still arrives. */

/** One `executeTool` of the polyfill. */
export interface Run {
  /** The caller's. */
  signal: AbortSignal | undefined;
  /** Set once the page's `execute` has been called. */
  started?: {
    result: unknown;
    /** The signal that the tool was registered with. */
    registration: AbortSignal | undefined;
  };
}

/** What the polyfill answers; where it gives a started run up because its tool is gone, what `execute` gives. */
export async function resultInSpite(answer: Promise<unknown>, run: Run): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    const { started } = run;
    if (!started?.registration?.aborted || run.signal?.aborted) throw error;
    return serialized(await unlessCancelled(ownEnd(started.result), run.signal));
  }
}

/** As the polyfill gives it: text for objects and for nothing, anything else as it is. */
function serialized(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
}

/** What the tool itself threw, in the polyfill's words, so that it reads as a tool that ran and failed. */
async function ownEnd(result: unknown): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Tool was executed but the invocation failed: it threw an error: ${reason}`);
  }
}

function unlessCancelled(result: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    result.then(resolve, reject);
  });
}
