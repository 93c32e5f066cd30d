import { describe, expect, it } from "vitest";
import { SCHEDULE, TIMINGS } from "../../contract/timings.ts";
import { alarmDistance, retryPause } from "../../host/service-worker/backoff.ts";

const middle = () => 0.5;

describe("pauses between tries of one endpoint", () => {
  it("grow by the factor up to the longest, and end after five", () => {
    const pauses = [0, 1, 2, 3, 4, 5].map((failures) => retryPause(failures, TIMINGS, middle));
    expect(pauses).toEqual([500, 750, 1125, 1687.5, 2531.25, undefined]);
  });

  it("never exceed the longest by more than the jitter", () => {
    const timings = { ...TIMINGS, reconnectMax: 600 };
    expect(retryPause(4, timings, middle)).toBe(600);
    expect(retryPause(4, timings, () => 1)).toBeCloseTo(600 * (1 + SCHEDULE.reconnectJitter));
    expect(retryPause(4, timings, () => 0)).toBeCloseTo(600 * (1 - SCHEDULE.reconnectJitter));
  });
});

describe("distances of the alarms", () => {
  it("are first, second, then the same for ever", () => {
    const distances = [0, 1, 2, 3, 9].map((step) => alarmDistance(step, TIMINGS));
    expect(distances.slice(1)).toEqual([60_000, 120_000, 120_000, 120_000]);
  });

  it("let the idle time of 30 s end before the first alarm", () => {
    expect(alarmDistance(0, TIMINGS)).toBeGreaterThan(30_000);
  });
});
