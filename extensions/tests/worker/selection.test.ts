import { beforeEach, describe, expect, it, vi } from "vitest";
import { parseSelection } from "../../contract/settings.ts";
import { TabSourceManager } from "../../host/service-worker/tab-source-manager.ts";

const set = vi.fn(async () => {});
const query = vi.fn(async (): Promise<{ id: number }[]> => [{ id: 5 }]);
const changed = vi.fn();
let busy = new Set<number>();

beforeEach(() => {
  vi.stubGlobal("chrome", { storage: { session: { set } }, tabs: { query } });
  for (const mock of [set, query, changed]) mock.mockClear();
  busy = new Set();
});

async function manager(stored?: unknown): Promise<TabSourceManager> {
  const made = new TabSourceManager({ busyTabs: () => busy, changed });
  await made.start(stored);
  set.mockClear();
  return made;
}

describe("the selection", () => {
  it("goes on with what is stored", async () => {
    const selection = await manager({ tabIds: [1, 2] });
    expect(selection.tabIds).toEqual([1, 2]);
    expect(query).not.toHaveBeenCalled();
  });

  it("begins with the active tab where nothing is stored", async () => {
    expect((await manager()).tabIds).toEqual([5]);
    expect(query).toHaveBeenCalledWith({ active: true, lastFocusedWindow: true });
  });

  it("is empty where there is no window", async () => {
    query.mockResolvedValueOnce([]);
    expect((await manager()).tabIds).toEqual([]);
  });

  it("stores and tells each change once", async () => {
    const selection = await manager({ tabIds: [1] });
    selection.select([1, 2]);
    selection.select([1, 2]);
    expect(set).toHaveBeenCalledTimes(1);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it("is not brought back to an older value by the events of its own writes", async () => {
    const selection = await manager({ tabIds: [1] });
    selection.select([2]);
    selection.select([3]);
    selection.adopt({ tabIds: [2] });
    selection.adopt({ tabIds: [3] });
    expect(selection.tabIds).toEqual([3]);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it("follows a value that someone else has stored", async () => {
    const selection = await manager({ tabIds: [1] });
    selection.adopt({ tabIds: [9] });
    expect(selection.tabIds).toEqual([9]);
  });

  it("loses closed tabs and follows replaced ones", async () => {
    const selection = await manager({ tabIds: [1, 2, 3] });
    selection.tabClosed(2);
    selection.tabReplaced(30, 3);
    selection.tabClosed(99);
    expect(selection.tabIds).toEqual([1, 30]);
  });

  it("becomes the window's active tab when a panel opens, unless a selected tab is busy", async () => {
    const selection = await manager({ tabIds: [1] });
    busy = new Set([1]);
    await selection.panelOpened(4);
    expect(selection.tabIds).toEqual([1]);
    busy = new Set([8]);
    await selection.panelOpened(4);
    expect(selection.tabIds).toEqual([5]);
    expect(query).toHaveBeenLastCalledWith({ active: true, windowId: 4 });
  });
});

describe("a stored selection", () => {
  it.each([undefined, null, 7, {}, { tabIds: "1" }])("%j is none", (stored) => {
    expect(parseSelection(stored)).toBeUndefined();
  });

  it("keeps whole numbers, each once", () => {
    expect(parseSelection({ tabIds: [1, "2", 1, 2.5, 3] })).toEqual({ tabIds: [1, 3] });
  });
});
