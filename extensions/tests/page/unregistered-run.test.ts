import { describe, expect, it } from "vitest";
import { type Run, resultInSpite } from "../../host/main-world/unregistered-run.ts";

const gone = () => Promise.reject(new Error("Tool unregistered"));
const aborted = () => AbortSignal.abort();

function run(result: unknown, registration = aborted(), signal?: AbortSignal): Run {
  return { signal, started: { result, registration } };
}

describe("a tool that is unregistered while it runs", () => {
  it("still gives its result, as the polyfill would have", async () => {
    expect(await resultInSpite(gone(), run(Promise.resolve("left")))).toBe("left");
    expect(await resultInSpite(gone(), run({ n: 1 }))).toBe('{"n":1}');
    expect(await resultInSpite(gone(), run(undefined))).toBe("undefined");
  });

  it("fails as a tool that ran when it throws", async () => {
    const thrown = resultInSpite(gone(), run(Promise.reject(new Error("no such order"))));
    await expect(thrown).rejects.toThrow(
      /^Tool was executed but the invocation failed.*threw an error: no such order/,
    );
  });

  it("stays cancelled for a caller that cancelled, also while its result is awaited", async () => {
    await expect(resultInSpite(gone(), run("late", aborted(), aborted()))).rejects.toThrow(
      "Tool unregistered",
    );
    const caller = new AbortController();
    const waiting = resultInSpite(gone(), run(new Promise(() => {}), aborted(), caller.signal));
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => caller.abort(new Error("cancelled")))));
    await expect(waiting).rejects.toThrow();
  });
});

it("an error of a tool that is still registered stays an error, and so does one that never ran", async () => {
  const registered = new AbortController().signal;
  await expect(resultInSpite(gone(), run("left", registered))).rejects.toThrow("Tool unregistered");
  await expect(resultInSpite(gone(), { signal: undefined })).rejects.toThrow("Tool unregistered");
});
