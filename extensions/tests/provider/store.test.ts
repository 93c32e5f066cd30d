import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LUMO_LIMITS } from "../../contract/lumo.ts";
import { admitTools } from "../../contract/lumo-names.ts";
import { TIMINGS } from "../../contract/timings.ts";
import { keptAlive } from "../../provider/agent/keep-alive.ts";
import { NAMESPACE } from "../../provider/agent/protocol.ts";
import { TOOLS } from "../../provider/agent/tools.ts";
import type { Script } from "../../provider/userscripts/model.ts";
import { planSync } from "../../provider/userscripts/registration.ts";
import { searchScript } from "../../provider/userscripts/search.ts";
import { sweepSources } from "../../provider/userscripts/sweep.ts";
import { type FakeChrome, installFakeChrome } from "./fake-chrome.ts";
import { OTHER, sourceOf } from "./scripts.ts";

let fake: FakeChrome;
beforeEach(() => {
  fake = installFakeChrome();
});
afterEach(() => {
  vi.useRealTimers();
});

const UUID = "00000000-0000-4000-8000-000000000001";
const SCRIPT: Script = {
  uuid: UUID,
  version: 3,
  enabled: true,
  sourceDigest: "d",
  approvedDigest: "d",
  metadata: {
    name: "Name",
    matches: ["https://a/*"],
    excludeMatches: [],
    runAt: "document_end",
    allFrames: true,
  },
  createdAt: "",
  updatedAt: "",
};

describe("the provider's own tools", () => {
  it("keep the protocol's rules", () => {
    const names = TOOLS.map((tool) => tool.name);
    expect(admitTools({ id: OTHER, namespace: NAMESPACE }, names).rejected).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(LUMO_LIMITS.toolsPerProvider.value);
  });

  it("say which only read and which destroy", () => {
    const hinted = (hint: "readOnlyHint" | "destructiveHint") =>
      TOOLS.filter((tool) => tool.annotations[hint]).map((tool) => tool.name);
    expect(hinted("readOnlyHint")).toEqual(["list_scripts", "get_script", "search_scripts"]);
    expect(hinted("destructiveHint")).toEqual(["update_script", "delete_script"]);
  });
});

describe("planSync", () => {
  it("registers what may run under its version, and removes everything else", () => {
    const id = `${UUID}@3`;
    expect(planSync([SCRIPT], true, [`${UUID}@2`, "stray"])).toEqual({
      remove: [`${UUID}@2`, "stray"],
      add: [SCRIPT],
    });
    expect(planSync([SCRIPT], true, [id])).toEqual({ remove: [], add: [] });
    expect(planSync([{ ...SCRIPT, enabled: false }], false, [id])).toEqual({ remove: [id], add: [] });
    expect(planSync([{ ...SCRIPT, approvedDigest: null }], true, [id])).toEqual({ remove: [id], add: [] });
    expect(planSync([{ ...SCRIPT, approvedDigest: null }], false, [id])).toEqual({ remove: [], add: [] });
  });
});

describe("sweepSources", () => {
  it("removes orphans only", async () => {
    fake.local.scripts = [SCRIPT];
    fake.local[`source:${UUID}`] = "kept";
    fake.local["source:gone"] = fake.local["proposal:gone"] = "orphan";
    await sweepSources();
    expect(Object.keys(fake.local).sort()).toEqual(["scripts", `source:${UUID}`]);
  });
});

describe("searchScript", () => {
  it("finds names, patterns and numbered lines, case ignored, at most five a script", () => {
    expect(searchScript(SCRIPT, "", "NAME")).toEqual([
      { uuid: UUID, name: "Name", where: "name", text: "Name" },
    ]);
    expect(searchScript(SCRIPT, sourceOf("x", "needle();"), "Needle")).toMatchObject([{ where: "5" }]);
    expect(searchScript(SCRIPT, "hit\n".repeat(9), "hit")).toHaveLength(5);
  });
});

describe("keptAlive", () => {
  it("touches the browser while a call is in flight, and not after its end or deadline", async () => {
    vi.useFakeTimers();
    const touch = vi.spyOn(chrome.runtime, "getPlatformInfo");
    let finish: (value: string) => void = () => undefined;
    const call = keptAlive(
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    await vi.advanceTimersByTimeAsync(TIMINGS.keepAlive * 2);
    expect(touch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(TIMINGS.browserDeadline * 3);
    expect(touch).toHaveBeenCalledTimes(2);
    finish("late");
    expect(await call).toBe("late");
    await vi.advanceTimersByTimeAsync(TIMINGS.keepAlive * 3);
    expect(touch).toHaveBeenCalledTimes(2);
  });
});
