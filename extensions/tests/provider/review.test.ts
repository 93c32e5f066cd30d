import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../contract/lumo-audit.ts";
import { readStore } from "../../provider/agent/store.ts";
import { type Arguments, argumentsProblem, type ToolName } from "../../provider/agent/tools.ts";
import { performWrite } from "../../provider/agent/writes.ts";
import { onPageRequest } from "../../provider/control.ts";
import type { PageAnswer, PageRequest } from "../../provider/requests.ts";
import { type FakeChrome, installFakeChrome, OWN_ID } from "./fake-chrome.ts";
import { SENDER, sourceOf } from "./scripts.ts";

let fake: FakeChrome;

beforeEach(() => {
  fake = installFakeChrome();
  fake.local.policy = { endpoint: true, write: true, review: true };
  fake.local.allowlist = [{ id: SENDER, name: "", at: "" }];
});

async function write(tool: ToolName, args: Arguments): Promise<Record<string, unknown>> {
  const problem = argumentsProblem(tool, args);
  const result = await performWrite({ tool, senderId: SENDER, args, argumentsProblem: problem });
  return { ...(result.structuredContent as object | undefined) };
}

function person(request: PageRequest): Promise<PageAnswer> {
  const sender = { url: `chrome-extension://${OWN_ID}/page/index.html` } as chrome.runtime.MessageSender;
  return new Promise((resolve) => {
    onPageRequest(request, sender, resolve);
  });
}

const decide = (decision: "approve" | "refuse", id: unknown) =>
  person({ type: `review/${decision}`, id: String(id) });
const running = () => [...fake.registered.values()];
const results = () => (fake.local.audit as { result: string }[]).map((entry) => entry.result);

describe("review on", () => {
  it("a create waits, exists after approval, and still has to be enabled", async () => {
    const { status, uuid, reviewId } = await write("create_script", { source: sourceOf("one") });
    expect(status).toBe("pending_approval");
    expect((await readStore()).scripts).toEqual([]);
    expect(fake.badge).toBe("1");
    expect(await decide("approve", reviewId)).toEqual({ ok: true });
    expect(fake.badge).toBe("");
    expect((await readStore()).scripts).toMatchObject([{ uuid, enabled: false, version: 1 }]);
    expect(await write("set_script_enabled", { uuid, enabled: true })).toMatchObject({ status: "done" });
    expect(running()).toEqual([sourceOf("one")]);
    expect(results()).toEqual(["pending", "approved", "ok"]);
  });

  it("an update leaves the old source running until it is approved", async () => {
    const { uuid, reviewId } = await write("create_script", { source: sourceOf("one", "old();") });
    await decide("approve", reviewId);
    await write("set_script_enabled", { uuid, enabled: true });
    const next = sourceOf("one", "new();", "https://elsewhere.example/*");
    const update = await write("update_script", { uuid, version: 1, source: next });
    expect(running()).toEqual([sourceOf("one", "old();")]);
    await decide("approve", update.reviewId);
    expect(running()).toEqual([next]);
  });

  it("a refused change leaves nothing but its audit entry", async () => {
    const { reviewId } = await write("create_script", { source: sourceOf("one") });
    await decide("refuse", reviewId);
    const store = await readStore();
    expect([store.scripts, store.reviews]).toEqual([[], []]);
    expect(fake.local[`proposal:${reviewId}`]).toBeUndefined();
    expect(results()).toEqual(["pending", "refused"]);
    expect(await decide("approve", reviewId)).toMatchObject({ ok: false });
  });

  it("deleting waits too", async () => {
    await person({ type: "script/create", source: sourceOf("mine") });
    const [script] = (await readStore()).scripts;
    const { status, reviewId } = await write("delete_script", { uuid: script!.uuid });
    expect(status).toBe("pending_approval");
    expect((await readStore()).scripts).toHaveLength(1);
    await decide("approve", reviewId);
    expect((await readStore()).scripts).toEqual([]);
  });

  it("an approval of a stale update changes nothing and says so", async () => {
    await person({ type: "script/create", source: sourceOf("mine") });
    const [script] = (await readStore()).scripts;
    const uuid = script!.uuid;
    const update = await write("update_script", { uuid, version: 1, source: sourceOf("mine", "agent();") });
    await person({ type: "script/update", uuid, version: 1, source: sourceOf("mine", "person();") });
    expect(await decide("approve", update.reviewId)).toMatchObject({ ok: false });
    expect(fake.local[`source:${uuid}`]).toBe(sourceOf("mine", "person();"));
  });

  it("an approved deletion deletes nothing newer than what was shown", async () => {
    await person({ type: "script/create", source: sourceOf("mine") });
    const [script] = (await readStore()).scripts;
    const uuid = script!.uuid;
    const { reviewId } = await write("delete_script", { uuid });
    await person({ type: "script/update", uuid, version: 1, source: sourceOf("mine", "newer();") });
    expect(await decide("approve", reviewId)).toMatchObject({ ok: false });
    expect((await readStore()).scripts).toHaveLength(1);
  });

  it("a script from before review was on stops, and runs again only when its source is approved", async () => {
    await person({ type: "policy/set", name: "review", on: false });
    const { uuid } = await write("create_script", { source: sourceOf("early") });
    await write("set_script_enabled", { uuid, enabled: true });
    expect(running()).toEqual([sourceOf("early")]);
    await person({ type: "policy/set", name: "review", on: true });
    expect(running()).toEqual([]);
    await write("set_script_enabled", { uuid, enabled: false });
    const { status, reviewId } = await write("set_script_enabled", { uuid, enabled: true });
    expect(status).toBe("pending_approval");
    expect(running()).toEqual([]);
    await decide("approve", reviewId);
    expect(running()).toEqual([sourceOf("early")]);
  });

  it("an approval of a source that changed meanwhile is refused", async () => {
    await person({ type: "script/create", source: sourceOf("mine") });
    const [script] = (await readStore()).scripts;
    const answer = await person({ type: "script/approve", uuid: script!.uuid, digest: "0".repeat(64) });
    expect(answer).toMatchObject({ ok: false });
  });
});

/** A small reproducible generator: the walk below must be the same on every machine. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

describe("review cannot be walked around", () => {
  it.each([1, 2, 3, 4, 5])("random walk %i: nothing runs that no person saw", async (seed) => {
    const pick = random(seed);
    const seen = new Set<string>();
    for (let step = 0; step < 120; step++) {
      fake.session = {}; // the window is not what is tested here
      await randomStep(pick, step, seen);
      const { policy } = await readStore();
      if (!policy.review) continue;
      for (const source of running()) expect(seen).toContain(await sha256(source));
    }
    expect(seen.size).toBeGreaterThan(3);
  });
});

async function randomStep(pick: (below: number) => number, step: number, seen: Set<string>): Promise<void> {
  const { scripts, reviews } = await readStore();
  const script = scripts[pick(Math.max(1, scripts.length))];
  const source = sourceOf(`s${step}`, `f${step}();`);
  const action = pick(script ? 7 : 2);
  if (action === 0) await write("create_script", { source });
  else if (action === 1) await person({ type: "policy/set", name: "review", on: pick(4) !== 0 });
  else if (action === 2)
    await write("update_script", { uuid: script!.uuid, version: script!.version, source });
  else if (action < 5) await write("set_script_enabled", { uuid: script!.uuid, enabled: pick(4) !== 0 });
  else if (action === 5) await write("delete_script", { uuid: script!.uuid });
  else await person({ type: "script/approve", uuid: script!.uuid, digest: see(seen, script!.sourceDigest) });
  const review = reviews[0];
  if (!review || pick(2) === 0) return;
  await decide("approve", review.id);
  see(seen, review.sourceDigest);
}

function see(seen: Set<string>, digest: string): string {
  seen.add(digest);
  return digest;
}

describe("requests of the page", () => {
  it("are heard from documents of this extension only", () => {
    const request = { type: "policy/set", name: "endpoint", on: true };
    const foreign = { url: "https://example.com/" } as chrome.runtime.MessageSender;
    expect(onPageRequest(request, foreign, () => undefined)).toBe(false);
  });

  it.each([
    null,
    "policy/set",
    { type: "policy/set", name: "endpoint" },
    { type: "policy/set", name: "else", on: true },
    { type: "sender/approve", id: "A".repeat(32) },
    { type: "sender/approve", id: `${SENDER}\n` },
    { type: "script/delete", uuid: "x" },
    { type: "toString" },
  ])("%j is none", (message) => {
    const own = { url: `chrome-extension://${OWN_ID}/page/index.html` } as chrome.runtime.MessageSender;
    expect(onPageRequest(message, own, () => undefined)).toBe(false);
  });
});
