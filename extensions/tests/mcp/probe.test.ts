import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROBE_CHANNEL } from "../../contract/lumo.ts";
import { probe } from "../../host/mcp/probe.ts";

const ID = "a".repeat(32);
const GOOD = {
  ok: true,
  service: { namespace: "notes", name: "Notes", version: "1" },
  status: { enabled: true, authorized: true, ready: true, pendingApproval: false },
};
const CLOSED =
  "A listener indicated an asynchronous response, but the message channel closed before a response";
const sendMessage = vi.fn<(id: string, message: Record<string, unknown>) => unknown>();

beforeEach(() => {
  vi.useFakeTimers();
  sendMessage.mockReset();
  const getManifest = () => ({ name: "Host", version: "2" });
  vi.stubGlobal("chrome", { runtime: { id: "h".repeat(32), getManifest, sendMessage } });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("probe", () => {
  it("sends the contract's request", async () => {
    sendMessage.mockResolvedValue(GOOD);
    expect(await probe(ID)).toMatchObject({ state: "connected" });
    expect(sendMessage.mock.calls).toEqual([
      [
        ID,
        {
          channel: PROBE_CHANNEL,
          version: 1,
          id: expect.stringMatching(/./),
          client: { id: "h".repeat(32), name: "Host", version: "2" },
        },
      ],
    ]);
  });

  it.each(["", "a".repeat(31), "A".repeat(32), `${"a".repeat(31)}q`, `${"a".repeat(32)}\n`])(
    "never shows Chrome the id %j",
    async (id) => {
      expect(await probe(id)).toMatchObject({ state: "error", code: "invalid_id" });
      expect(sendMessage).not.toHaveBeenCalled();
    },
  );

  it("waits 1500 ms, not less", async () => {
    sendMessage.mockReturnValue(new Promise(() => {}));
    const states: unknown[] = [];
    void probe(ID).then((state) => states.push(state));
    await vi.advanceTimersByTimeAsync(1_499);
    expect(states).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(states).toMatchObject([{ code: "timeout" }]);
  });

  it("takes a late answer for none", async () => {
    let answer: (value: unknown) => void = () => {};
    sendMessage.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const state = probe(ID);
    await vi.advanceTimersByTimeAsync(1_500);
    answer(GOOD);
    expect(await state).toMatchObject({ code: "timeout" });
  });

  it.each([
    ["undefined", () => Promise.resolve(undefined), "incomplete"],
    ["a closed channel", () => Promise.reject(new Error(CLOSED)), "not_installed"],
  ])("asks once more after %s, and only once", async (_what, first, code) => {
    sendMessage.mockImplementationOnce(first).mockResolvedValueOnce(GOOD);
    expect(await probe(ID)).toMatchObject({ state: "connected" });
    sendMessage.mockReset().mockImplementation(first);
    expect(await probe(ID)).toMatchObject({ code });
    expect(sendMessage).toHaveBeenCalledTimes(2);
  });

  it("does not ask again after any other outcome", async () => {
    sendMessage.mockRejectedValue(new Error("Could not establish connection. Receiving end does not exist."));
    expect(await probe(ID)).toMatchObject({ code: "not_installed" });
    sendMessage.mockImplementation(() => {
      throw new TypeError("thrown at once");
    });
    expect(await probe(ID)).toMatchObject({ code: "not_installed" });
    expect(sendMessage).toHaveBeenCalledTimes(2);
  });
});
