import { beforeEach, describe, expect, it } from "vitest";
import {
  type Access,
  addPending,
  approve,
  DEFAULT_POLICY,
  forget,
  isFirstContact,
  readAccess,
  refuse,
  standing,
} from "../../provider/agent/policy.ts";
import { type FakeChrome, installFakeChrome } from "./fake-chrome.ts";
import { OTHER, SENDER } from "./scripts.ts";

const AT = "2026-01-01T00:00:00.000Z";
const EMPTY: Access = {
  policy: { ...DEFAULT_POLICY, endpoint: true },
  allowed: [],
  pending: [],
  refused: [],
};
const sender = (id: string) => ({ id, name: "x", at: AT });
const idOf = (index: number) => String.fromCharCode(97 + (index >> 4), 97 + (index & 15)).repeat(16);

let fake: FakeChrome;
beforeEach(() => {
  fake = installFakeChrome();
});

describe("what is stored", () => {
  it("defaults to endpoint off, write off, review on", async () => {
    expect((await readAccess()).policy).toEqual({ endpoint: false, write: false, review: true });
  });

  it("is believed only where it has the right shape", async () => {
    Object.assign(fake.local, {
      policy: { endpoint: 1, write: "yes", review: 0 },
      allowlist: [sender(SENDER), sender("A".repeat(32)), sender(`${SENDER}a`), null, SENDER],
    });
    const access = await readAccess();
    expect(access.policy).toEqual({ endpoint: false, write: false, review: true });
    expect(access.allowed.map((one) => one.id)).toEqual([SENDER]);
  });
});

describe("standing", () => {
  it("goes by the real id", () => {
    const access = approve(EMPTY, SENDER, AT);
    expect(standing(access, SENDER)).toEqual({ enabled: true, authorized: true, pendingApproval: false });
    expect(standing(access, OTHER)).toEqual({ enabled: true, authorized: false, pendingApproval: false });
  });

  it("asks once about an unknown sender, and only while the endpoint is on", () => {
    expect(isFirstContact(EMPTY, SENDER)).toBe(true);
    expect(isFirstContact({ ...EMPTY, policy: DEFAULT_POLICY }, SENDER)).toBe(false);
    for (const known of [
      addPending(EMPTY, sender(SENDER)),
      approve(EMPTY, SENDER, AT),
      refuse(EMPTY, SENDER, AT),
    ]) {
      expect(isFirstContact(known, SENDER)).toBe(false);
    }
    expect(isFirstContact(forget(refuse(EMPTY, SENDER, AT), SENDER), SENDER)).toBe(true);
  });

  it("keeps 20 pending approvals; the oldest makes room", () => {
    const ids = Array.from({ length: 21 }, (_, index) => idOf(index));
    const access = ids.reduce((so_far, id) => addPending(so_far, sender(id)), EMPTY);
    expect(access.pending.map((one) => one.id)).toEqual(ids.slice(1));
  });

  it("moves a decided sender, and keeps the name that it gave", () => {
    const asked = addPending(EMPTY, { id: SENDER, name: "Claims", at: AT });
    expect(approve(asked, SENDER, AT)).toMatchObject({
      pending: [],
      allowed: [{ id: SENDER, name: "Claims" }],
    });
    expect(refuse(approve(asked, SENDER, AT), SENDER, AT)).toMatchObject({
      allowed: [],
      refused: [{ id: SENDER }],
    });
  });
});
