import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ERROR_META, type ToolResult } from "../../contract/errors.ts";
import { TIMINGS } from "../../contract/timings.ts";
import { CallRegistry } from "../../host/service-worker/calls.ts";

const RESULT: ToolResult = { content: [] };
const getPlatformInfo = vi.fn(async () => ({}));

/** A call that ends when the test says so. */
function pending() {
  let end: (result: ToolResult) => void = () => {};
  let signal: AbortSignal | undefined;
  const start = (given: AbortSignal) => {
    signal = given;
    return new Promise<ToolResult>((resolve) => {
      end = resolve;
    });
  };
  return { start, end: (result: ToolResult) => end(result), aborted: () => signal?.aborted };
}

function codeOf(result: ToolResult): unknown {
  return (result._meta?.[ERROR_META] as { code: string; executed: string } | undefined)?.code;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("chrome", { runtime: { getPlatformInfo } });
  getPlatformInfo.mockClear();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("calls in flight", () => {
  const registry = () => new CallRegistry(() => TIMINGS);

  it("keep the worker alive every 20 s until the last has ended", async () => {
    const calls = registry();
    const [first, second] = [pending(), pending()];
    const ends = [calls.run("1", 1, first.start), calls.run("2", 2, second.start)];
    await vi.advanceTimersByTimeAsync(20_000);
    expect(getPlatformInfo).toHaveBeenCalledTimes(1);
    first.end(RESULT);
    await ends[0];
    await vi.advanceTimersByTimeAsync(20_000);
    expect(getPlatformInfo).toHaveBeenCalledTimes(2);
    second.end(RESULT);
    await ends[1];
    await vi.advanceTimersByTimeAsync(100_000);
    expect(getPlatformInfo).toHaveBeenCalledTimes(2);
  });

  it("end as timeout at the deadline, and the page is told", async () => {
    const calls = registry();
    const call = pending();
    const result = calls.run("1", 1, call.start);
    await vi.advanceTimersByTimeAsync(TIMINGS.browserDeadline);
    expect(codeOf(await result)).toBe("timeout");
    expect(call.aborted()).toBe(true);
    expect(calls.busyTabs().size).toBe(0);
  });

  it("are told of a cancel and still give their own answer", async () => {
    const calls = registry();
    const call = pending();
    const result = calls.run("1", 1, call.start);
    calls.cancel("1");
    expect(call.aborted()).toBe(true);
    call.end(RESULT);
    expect(await result).toBe(RESULT);
  });

  it("know their tabs", async () => {
    const calls = registry();
    void calls.run("1", 7, pending().start);
    void calls.run("2", undefined, pending().start);
    expect([...calls.busyTabs()]).toEqual([7]);
  });

  it("that break become a result, never a rejection", async () => {
    const broken = registry().run("1", 1, () => Promise.reject(new Error("boom")));
    expect(codeOf(await broken)).toBe("outcome_unknown");
  });

  it("cancel an unknown key without harm", () => {
    expect(() => registry().cancel("nobody")).not.toThrow();
  });
});
