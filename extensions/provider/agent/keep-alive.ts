/** Keeps the worker alive while calls are in flight, and only then: an open port alone must not. */
import { TIMINGS } from "../../contract/timings.ts";

let inFlight = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Any cheap extension API call restarts the browser's idle clock. */
function touch(): void {
  void chrome.runtime.getPlatformInfo();
}

function hold(): void {
  inFlight += 1;
  timer ??= setInterval(touch, TIMINGS.keepAlive);
}

function release(): void {
  inFlight -= 1;
  if (inFlight > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** Runs the call with the worker kept alive until it ends, but no longer than any caller waits. */
export async function keptAlive<T>(call: () => Promise<T>): Promise<T> {
  hold();
  let held = true;
  const end = () => {
    if (held) release();
    held = false;
  };
  const deadline = setTimeout(end, TIMINGS.browserDeadline);
  try {
    return await call();
  } finally {
    clearTimeout(deadline);
    end();
  }
}
