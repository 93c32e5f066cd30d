import { beforeEach, describe, expect, it } from "vitest";
import type { ProbeAnswer } from "../../contract/lumo.ts";
import { onProbe } from "../../provider/agent/probe.ts";
import { type FakeChrome, installFakeChrome } from "./fake-chrome.ts";
import { OTHER, SENDER } from "./scripts.ts";

let fake: FakeChrome;
beforeEach(() => {
  fake = installFakeChrome();
});

const REQUEST = {
  channel: "lumo:probe",
  version: 1,
  id: "p1",
  client: { id: SENDER, name: "Host", version: "1" },
};

function probe(
  message: unknown,
  id: string = SENDER,
  url = `chrome-extension://${id}/worker.js`,
): Promise<ProbeAnswer | "left alone"> {
  return new Promise((resolve) => {
    const taken = onProbe(message, { id, url }, resolve);
    if (!taken) resolve("left alone");
  });
}

describe("onProbe", () => {
  it("answers ok:true for every policy failure, with the contract's members only", async () => {
    expect(await probe(REQUEST)).toEqual({
      ok: true,
      service: { namespace: "userscripts", name: "Lumo Userscripts", version: "9.9.9" },
      status: { enabled: false, authorized: false, ready: true, pendingApproval: false },
    });
    fake.toggle = false;
    expect(await probe(REQUEST)).toMatchObject({
      ok: true,
      status: { ready: false, reason: "notReadyReason" },
    });
  });

  it("leaves other channels and other senders alone", async () => {
    for (const message of [undefined, null, 1, "lumo:probe", [], {}, { channel: "other" }]) {
      expect(await probe(message)).toBe("left alone");
    }
    expect(await probe(REQUEST, "not an id")).toBe("left alone");
    expect(await probe(REQUEST, SENDER, "https://a.example/")).toBe("left alone");
    expect(await probe(REQUEST, SENDER, `https://a.example/chrome-extension://${SENDER}/`)).toBe(
      "left alone",
    );
  });

  it.each([
    [{ ...REQUEST, version: 2 }, "unsupported_version"],
    [{ ...REQUEST, version: "1" }, "bad_request"],
    [{ ...REQUEST, id: "" }, "bad_request"],
    [{ ...REQUEST, client: null }, "bad_request"],
    [{ ...REQUEST, client: { id: SENDER, name: "x" } }, "bad_request"],
    [{ channel: "lumo:probe" }, "bad_request"],
  ])("%j is a protocol failure", async (message, code) => {
    expect(await probe(message)).toMatchObject({ ok: false, error: { code } });
  });

  it("makes one pending approval of an unknown sender, and none while the endpoint is off", async () => {
    await probe(REQUEST);
    expect(fake.writes).toEqual([]);
    fake.local.policy = { endpoint: true };
    const answers = await Promise.all([probe(REQUEST), probe(REQUEST), probe(REQUEST, OTHER)]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: { authorized: false, pendingApproval: true } });
    }
    const pending = fake.local.pendingApprovals as { id: string }[];
    expect(pending.map((one) => one.id)).toEqual([SENDER, OTHER]);
  });

  it("goes by the sender, whatever the client says", async () => {
    fake.local.policy = { endpoint: true };
    fake.local.allowlist = [{ id: SENDER, name: "", at: "" }];
    expect(await probe(REQUEST, OTHER)).toMatchObject({ status: { authorized: false } });
    expect(await probe({ ...REQUEST, client: { id: OTHER, name: "", version: "" } })).toMatchObject({
      status: { authorized: true },
    });
  });
});
