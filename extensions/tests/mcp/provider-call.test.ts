import { describe, expect, it, vi } from "vitest";
import { ChainFailure, ERROR_META, type ToolResult } from "../../contract/errors.ts";
import { NotSent } from "../../host/mcp/port-transport.ts";
import { callProvider } from "../../host/mcp/provider-call.ts";

const FINE = { content: [{ type: "text", text: "fine" }] };

/** Live sessions in order: each call resolves with a result, or rejects as the port closes. */
function sessions(...outcomes: (unknown | "closes" | "not sent" | "fault")[]) {
  const call = vi.fn();
  let at = 0;
  const opened = vi.fn(async () => {
    const live = { closed: false, call };
    const outcome = outcomes[at++];
    call.mockImplementationOnce(async () => {
      live.closed = outcome === "closes" || outcome === "not sent";
      if (outcome === "not sent") throw new NotSent();
      if (outcome === "closes" || outcome === "fault") throw new Error(String(outcome));
      return outcome;
    });
    return live;
  });
  return { opened, call };
}

function tool(readOnlyHint?: boolean) {
  return { name: "do", inputSchema: {}, annotations: readOnlyHint === undefined ? {} : { readOnlyHint } };
}

function run(
  opened: Parameters<typeof callProvider>[1]["opened"],
  subject = tool(),
  signal?: AbortSignal,
  args: Record<string, unknown> = { a: 1 },
) {
  const route = { opened, tool: () => subject };
  return callProvider("ext__notes__do", route, args, signal ?? new AbortController().signal);
}

function errorOf(result: ToolResult): unknown {
  return result.isError ? result._meta?.[ERROR_META] : undefined;
}

describe("callProvider", () => {
  it("sends the provider's own name and the arguments", async () => {
    const { opened, call } = sessions(FINE);
    expect(await run(opened)).toEqual(FINE);
    expect(call.mock.calls[0]!.slice(0, 2)).toEqual(["do", { a: 1 }]);
  });

  it("repeats a read whose port closed, once", async () => {
    const once = sessions("closes", FINE);
    expect(await run(once.opened, tool(true))).toEqual(FINE);
    const twice = sessions("closes", "closes", FINE);
    expect(errorOf(await run(twice.opened, tool(true)))).toEqual({
      code: "outcome_unknown",
      executed: "unknown",
    });
    expect(twice.call).toHaveBeenCalledTimes(2);
  });

  it.each([undefined, false])("never repeats a tool whose readOnlyHint is %o", async (hint) => {
    const { opened, call } = sessions("closes", FINE);
    const result = await run(opened, tool(hint));
    expect(errorOf(result)).toEqual({ code: "outcome_unknown", executed: "unknown" });
    expect(JSON.stringify(result.content)).toContain(
      "connection closed before a result; the outcome is unknown",
    );
    expect(call).toHaveBeenCalledOnce();
  });

  it("sends on another port what never left", async () => {
    const { opened, call } = sessions("not sent", FINE);
    expect(await run(opened)).toEqual(FINE);
    expect(call).toHaveBeenCalledTimes(2);
  });

  it("passes a business failure as the result that it is", async () => {
    const failure = { content: [{ type: "text", text: "no" }], isError: true };
    expect(await run(sessions(failure).opened)).toEqual(failure);
  });

  it.each([null, 7, {}, { content: "text" }])("makes a fault of the result %j", async (raw) => {
    expect(errorOf(await run(sessions(raw).opened))).toMatchObject({ code: "page_error" });
  });

  it("bounds the result", async () => {
    const huge = { content: [{ type: "text", text: "x".repeat(8_000_001) }] };
    expect(errorOf(await run(sessions(huge).opened))).toEqual({ code: "too_large", executed: "yes" });
  });

  it("refuses arguments that nobody could walk down to the end of", async () => {
    let nested: unknown[] = [];
    for (let level = 0; level < 50_000; level++) nested = [nested];
    const { opened } = sessions(FINE);
    const result = await run(opened, tool(), undefined, { nested });
    expect(errorOf(result)).toEqual({ code: "invalid_args", executed: "no" });
    expect(opened).not.toHaveBeenCalled();
  });

  it("says why the session did not open", async () => {
    const refused = vi.fn().mockRejectedValue(ChainFailure.of("denied", "no", "off"));
    expect(errorOf(await run(refused))).toEqual({ code: "denied", executed: "no" });
  });

  it("asks for the tool again after a fresh listing", async () => {
    const { opened } = sessions("closes", FINE);
    const listed = [tool(true), undefined];
    const route = { opened, tool: () => listed.shift() };
    const result = await callProvider("ext__notes__do", route, {}, new AbortController().signal);
    expect(errorOf(result)).toEqual({ code: "unknown_tool", executed: "no" });
  });

  it("is cancelled while the session opens, and while the call runs", async () => {
    const early = new AbortController();
    const opening = run(() => new Promise(() => {}), tool(), early.signal);
    early.abort();
    expect(errorOf(await opening)).toEqual({ code: "cancelled", executed: "no" });

    const late = new AbortController();
    const call = (_name: string, _args: unknown, signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const running = run(async () => ({ closed: false, call }), tool(), late.signal);
    await Promise.resolve();
    setTimeout(() => late.abort());
    expect(errorOf(await running)).toEqual({ code: "cancelled", executed: "unknown" });
  });
});
