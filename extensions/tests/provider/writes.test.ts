import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AuditEntry } from "../../contract/lumo-audit.ts";
import { readStore } from "../../provider/agent/store.ts";
import { type Arguments, argumentsProblem, type ToolName } from "../../provider/agent/tools.ts";
import { performWrite } from "../../provider/agent/writes.ts";
import { serialisedFirst } from "../../provider/serial.ts";
import { type FakeChrome, installFakeChrome } from "./fake-chrome.ts";
import { OTHER, SENDER, sourceOf } from "./scripts.ts";

let fake: FakeChrome;

beforeEach(() => {
  vi.useRealTimers();
  fake = installFakeChrome();
  setPolicy({ endpoint: true, write: true, review: false });
  fake.local.allowlist = [SENDER, OTHER].map((id) => ({ id, name: "", at: "" }));
});

function setPolicy(policy: Record<string, boolean>): void {
  fake.local.policy = policy;
}

function write(tool: ToolName, args: Arguments, senderId = SENDER) {
  return performWrite({ tool, senderId, args, argumentsProblem: argumentsProblem(tool, args) });
}

const create = (name: string, senderId = SENDER) =>
  write("create_script", { source: sourceOf(name) }, senderId);

async function created(name: string): Promise<string> {
  const result = await create(name);
  return (result.structuredContent as { uuid: string }).uuid;
}

const codeOf = (result: Awaited<ReturnType<typeof write>>) =>
  (result._meta?.["webmcp-e2e/error"] as { code: string } | undefined)?.code;
const audited = () => ((fake.local.audit ?? []) as AuditEntry[]).map((entry) => entry.result);

describe("the window", () => {
  it("lets exactly 30 of 40 parallel writes pass", async () => {
    const results = await Promise.all(Array.from({ length: 40 }, (_, index) => create(`s${index}`)));
    expect(results.filter((result) => !result.isError)).toHaveLength(30);
    expect((await readStore()).scripts).toHaveLength(30);
    expect(audited().filter((result) => result === "rate_limited")).toHaveLength(10);
    const text = JSON.stringify(results[39]!.content);
    expect(text).toMatch(/Try again in (60|59) seconds/);
  });

  it("is each sender's own, and counts no refusal", async () => {
    for (let index = 0; index < 10; index++) await write("create_script", { source: "no metadata" });
    setPolicy({ endpoint: true, write: false, review: false });
    for (let index = 0; index < 10; index++) await create("denied");
    setPolicy({ endpoint: true, write: true, review: false });
    for (let index = 0; index < 30; index++) expect((await create(`s${index}`)).isError).toBeFalsy();
    expect(codeOf(await create("31st"))).toBe("rate_limited");
    expect((await create("other", OTHER)).isError).toBeFalsy();
  });

  it("slides", async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ["Date"] });
    for (let index = 0; index < 30; index++) {
      vi.setSystemTime(1_800_000_000_000 + index * 1_000);
      await create(`s${index}`);
    }
    vi.setSystemTime(1_800_000_059_999);
    expect(codeOf(await create("early"))).toBe("rate_limited");
    vi.setSystemTime(1_800_000_060_000);
    expect((await create("in time")).isError).toBeFalsy();
    expect(codeOf(await create("too many"))).toBe("rate_limited");
  });

  it("is stored before the write, and the write together with its audit entry", async () => {
    await create("one");
    expect(fake.writes.map((one) => one.area)).toEqual(["session", "local"]);
    expect(Object.keys(fake.writes[1]!.items)).toEqual(expect.arrayContaining(["scripts", "audit"]));
  });
});

describe("policy and arguments", () => {
  it.each([
    ["endpoint off", { endpoint: false, write: true, review: false }],
    ["write off", { endpoint: true, write: false, review: false }],
  ])("%s: refused, and audited as denied", async (_case, policy) => {
    setPolicy(policy);
    expect(codeOf(await create("x"))).toBe("denied");
    expect(audited()).toEqual(["denied"]);
  });

  it("a sender that was taken off the list is refused on its next call", async () => {
    await create("before");
    fake.local.allowlist = [];
    expect(codeOf(await create("after"))).toBe("denied");
  });

  it("policy comes before the arguments", async () => {
    setPolicy({ endpoint: true, write: false, review: false });
    expect(codeOf(await write("create_script", { nonsense: 1 }))).toBe("denied");
  });

  it("bad arguments are audited, with no text of the caller's in the log", async () => {
    const uuid = "const secret = 'source in the uuid'";
    expect(codeOf(await write("delete_script", { uuid }))).toBe("invalid_args");
    expect(JSON.stringify(fake.local.audit)).not.toContain("secret");
    expect(audited()).toEqual(["error"]);
  });

  it("switching on needs the browser's toggle, everything else does not", async () => {
    fake.toggle = false;
    const uuid = await created("one");
    expect(codeOf(await write("set_script_enabled", { uuid, enabled: true }))).toBe("not_ready");
    expect((await write("set_script_enabled", { uuid, enabled: false })).isError).toBeFalsy();
    expect([...fake.alarms]).toEqual(["registrations"]);
  });
});

describe("scripts", () => {
  it("start disabled, run when enabled, stop when deleted", async () => {
    const uuid = await created("one");
    expect([...fake.registered.keys()]).toEqual([]);
    await write("set_script_enabled", { uuid, enabled: true });
    expect([...fake.registered]).toEqual([[`${uuid}@1`, sourceOf("one")]]);
    await write("delete_script", { uuid });
    expect(fake.registered.size).toBe(0);
    expect(fake.local[`source:${uuid}`]).toBeUndefined();
  });

  it("an alarm is set before a change, so that a worker that dies in it leaves no deleted script running", async () => {
    const uuid = await created("one");
    await write("set_script_enabled", { uuid, enabled: true });
    await write("delete_script", { uuid });
    const changes = fake.writes.filter((one) => "scripts" in one.items);
    expect(changes.map((one) => one.alarms)).toEqual([
      ["registrations"],
      ["registrations"],
      ["registrations"],
    ]);
    expect([...fake.alarms]).toEqual([]);
  });

  it("the person's decision goes before the writes that wait", async () => {
    const order: string[] = [];
    const writes = Array.from({ length: 20 }, (_, index) =>
      create(`s${index}`).then((result) => order.push(codeOf(result) ?? "ok")),
    );
    await serialisedFirst(async () => {
      setPolicy({ endpoint: false, write: true, review: false });
    });
    await Promise.all(writes);
    expect(order).toEqual(["ok", ...Array(19).fill("denied")]);
  });

  it("an update of a stale version is refused with the present one", async () => {
    const uuid = await created("one");
    const update = (version: number, body: string) =>
      write("update_script", { uuid, version, source: sourceOf("one", body) });
    const [first, second] = await Promise.all([update(1, "a();"), update(1, "b();")]);
    expect(first.isError).toBeFalsy();
    expect(JSON.stringify(second.content)).toContain("at version 2, not 1");
    expect(fake.local[`source:${uuid}`]).toBe(sourceOf("one", "a();"));
  });

  it("no source ever enters the audit log, and the ring keeps 1,000", async () => {
    fake.local.audit = Array.from({ length: 1_000 }, () => ({
      at: "2026-01-01T00:00:00.000Z",
      tool: "create_script",
      senderId: OTHER,
      result: "ok",
      targetUuid: null,
      argumentsDigest: "0".repeat(64),
    }));
    const marker = "uniqueMarkerOfTheSource";
    await write("create_script", { source: sourceOf("one", `${marker}();`) });
    expect(fake.local.audit).toHaveLength(1_000);
    const log = JSON.stringify(fake.local.audit);
    for (const form of [marker, btoa(marker), encodeURIComponent(marker)]) expect(log).not.toContain(form);
    expect(log).toContain(SENDER);
  });
});
