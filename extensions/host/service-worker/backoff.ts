/** The pauses of the relay schedule (spec chain.md §4, "reconnect"). */
import { SCHEDULE, type Timings } from "../../contract/timings.ts";

/** Pause in ms before the next try of the same endpoint, after `failures` failed ones; `undefined`: give it up. */
export function retryPause(
  failures: number,
  timings: Timings,
  random: () => number = Math.random,
): number | undefined {
  if (failures >= SCHEDULE.reconnectTries) return undefined;
  const plain = Math.min(timings.reconnectFirst * SCHEDULE.reconnectFactor ** failures, timings.reconnectMax);
  return plain * (1 + SCHEDULE.reconnectJitter * (2 * random() - 1));
}

/**
 * A worker with nothing to do ends after 30 s, which is also the first distance: an alarm that came first would
 * keep it for another 30 s. So the first alarm comes this share later, and finds the worker gone.
 */
const IDLE_FIRST = 1 / 15;

/** Distance in ms of the alarm number `step` (0 is the first). */
export function alarmDistance(step: number, timings: Timings): number {
  if (step === 0) return timings.alarmFirst * (1 + IDLE_FIRST);
  return step === 1 ? timings.alarmSecond : timings.alarmRest;
}
