import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ERROR_META } from "../../contract/errors.ts";
import type { ProviderView } from "../../contract/providers.ts";
import { ProviderHub } from "../../host/mcp/provider-hub.ts";
import { type FakeBrowser, FakeProvider, fakeBrowser } from "./fake-browser.ts";

const A = "a".repeat(32);
const B = "b".repeat(32);

let browser: FakeBrowser;
let a: FakeProvider;
const changed = vi.fn();
const offerChanged = vi.fn();

beforeEach(() => {
  browser = fakeBrowser();
  a = new FakeProvider("notes");
  browser.providers.set(A, a);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A worker's hub: a second one goes on from what the first stored. */
async function started(): Promise<ProviderHub> {
  const hub = new ProviderHub({ patience: () => 1_000, changed, offerChanged });
  await hub.start();
  return hub;
}

function settled(hub: ProviderHub, ...ids: string[]): Promise<ProviderView[]> {
  return vi.waitFor(() => {
    expect(hub.views.map((view) => view.id)).toEqual(ids);
    expect(hub.views.every((view) => !view.checking && view.state !== "unknown")).toBe(true);
    return hub.views;
  });
}

function call(hub: ProviderHub, name = "ext__notes__echo", caller: "panel" | "relay" = "panel") {
  return hub.call(name, {}, caller, new AbortController().signal);
}

async function errorCode(result: ReturnType<typeof call>): Promise<unknown> {
  const { _meta } = await result;
  return (_meta?.[ERROR_META] as { code?: string } | undefined)?.code;
}

function methods(provider: FakeProvider): unknown[] {
  return provider.requests.map((request) => request.method);
}

describe("ProviderHub", () => {
  it("adds, connects and lists", async () => {
    const hub = await started();
    expect(await hub.add(["no id", A])).toEqual(["no id"]);
    const [view] = await settled(hub, A);
    expect(view).toMatchObject({ state: "connected", offered: false });
    expect(view!.tools.map((tool) => tool.publicName)).toEqual(["ext__notes__echo"]);
    expect(browser.local.providers).toEqual([A]);
  });

  it("goes on where the last worker was stopped, and wakes nobody for it", async () => {
    const hub = await started();
    await hub.add([A]);
    const before = await settled(hub, A);
    a.stop();

    const next = await started();

    expect(next.views).toEqual(before);
    expect(a.probes).toBe(1);
    expect(await errorCode(call(next))).toBeUndefined();
    expect(methods(a).filter((method) => method === "initialize")).toHaveLength(2);
  });

  it("asks again before a call when no port is open", async () => {
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    await call(hub);
    expect(a.probes).toBe(1);
    a.stop();
    a.status = { ...a.status, enabled: false };
    expect(await errorCode(call(hub))).toBe("denied");
    expect(hub.views[0]).toMatchObject({ code: "disabled", tools: [] });
    a.status = { ...a.status, enabled: true };
    expect(await errorCode(call(hub))).toBeUndefined();
  });

  it("closes the port on an error, keeps it while not ready", async () => {
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    a.status = { ...a.status, ready: false };
    hub.retry(A);
    await vi.waitFor(() => expect(hub.views[0]!.code).toBe("not_ready"));
    expect(a.openPorts).toBe(1);
    await settled(hub, A);
    a.status = { ...a.status, authorized: false };
    hub.retry(A);
    await vi.waitFor(() => expect(hub.views[0]!.code).toBe("not_authorized"));
    expect(a.openPorts).toBe(0);
  });

  it("opens one session for many calls at once", async () => {
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    a.stop();
    await Promise.all([call(hub), call(hub), call(hub)]);
    expect(methods(a).filter((method) => method === "initialize")).toHaveLength(2);
    expect(methods(a).filter((method) => method === "tools/call")).toHaveLength(3);
  });

  it("lists again when told, once more for many words at once", async () => {
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    a.tools = ["echo", "later"];
    for (let n = 0; n < 20; n++) a.notify("notifications/tools/list_changed");
    await vi.waitFor(() => expect(hub.views[0]!.tools).toHaveLength(2));
    expect(methods(a).filter((method) => method === "tools/list").length).toBeLessThanOrEqual(4);
  });

  it("asks a removed provider nothing more, not even for the read that was in flight", async () => {
    a.tools = ["look"];
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    a.silent = ["tools/call"];
    const reading = call(hub, "ext__notes__look");
    await vi.waitFor(() => expect(methods(a)).toContain("tools/call"));

    await hub.remove(A);

    expect(await errorCode(reading)).toBe("unknown_tool");
    expect([a.probes, a.openPorts]).toEqual([1, 0]);
  });

  it("rests between the listings of a provider that says at each that its list has changed", async () => {
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    const listings = () => methods(a).filter((method) => method === "tools/list").length;
    const before = listings();
    a.afterListing = () => a.notify("notifications/tools/list_changed");
    vi.useFakeTimers();
    a.notify("notifications/tools/list_changed");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(listings() - before).toBeGreaterThan(1);
    expect(listings() - before).toBeLessThan(10);
    vi.useRealTimers();
    await hub.remove(A);
  });

  it("offers to a relay what is switched on, and nothing else", async () => {
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    expect(hub.offeredTools).toEqual([]);
    expect(await errorCode(call(hub, "ext__notes__echo", "relay"))).toBe("unknown_tool");
    expect(methods(a)).not.toContain("tools/call");

    await hub.offer(A, true);
    expect(hub.offeredTools.map((tool) => tool.name)).toEqual(["ext__notes__echo"]);
    expect(await errorCode(call(hub, "ext__notes__echo", "relay"))).toBeUndefined();
    expect((await started()).offeredTools).toHaveLength(1);

    await hub.remove(A);
    expect(browser.local).toMatchObject({ providers: [], providersOverRelay: [], providerNamespaces: {} });
  });

  it("leaves a namespace to its owner over sessions of the browser, until that one is removed", async () => {
    const b = new FakeProvider("other");
    browser.providers.set(B, b);
    const hub = await started();
    await hub.add([B, A]);
    await settled(hub, B, A);
    Object.assign(b, { namespace: "notes" });
    for (const key of Object.keys(browser.session)) delete browser.session[key];

    const next = await started();
    next.refreshAll();
    const [second] = await settled(next, B, A);
    expect(second!.rejected).toMatchObject([{ rule: "namespace_taken" }]);

    await next.remove(A);
    expect(next.views[0]!.tools).toHaveLength(1);
  });

  it("follows a list that someone else stored, and shows what is no id", async () => {
    const hub = await started();
    browser.local.providers = ["nonsense", A];
    await hub.localChanged({ providers: {} });
    const [wrong, right] = await settled(hub, "nonsense", A);
    expect(wrong).toMatchObject({ state: "error", code: "invalid_id" });
    expect(right).toMatchObject({ state: "connected" });
  });

  it("keeps the order of ids that are added at the same time", async () => {
    const hub = await started();
    browser.providers.set(B, new FakeProvider("other"));
    await Promise.all([hub.add([B]), hub.add([A]), hub.add([B])]);
    expect(browser.local.providers).toEqual([B, A]);
    await settled(hub, B, A);
  });

  it("closes the port of a provider that is removed, and forgets it", async () => {
    const hub = await started();
    await hub.add([A]);
    await settled(hub, A);
    await hub.remove(A);
    expect(a.openPorts).toBe(0);
    expect(await errorCode(call(hub))).toBe("unknown_tool");
    expect(browser.session).toEqual({});
  });
});
