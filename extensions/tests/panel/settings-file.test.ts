import { beforeEach, describe, expect, it, vi } from "vitest";
import { OWN_SECTIONS } from "../../host/side-panel/transfer/own-sections.ts";
import type { ImportRefused } from "../../host/side-panel/transfer/refusal.ts";
import {
  applyImport,
  exportSettings,
  MAX_FILE_BYTES,
  planImport,
} from "../../host/side-panel/transfer/settings-file.ts";

const ID = "abcdefghijklmnop".repeat(2);
let stored: Record<string, unknown>;

beforeEach(() => {
  stored = {
    panelSettings: { language: "zh_CN" },
    relaySettings: { enabled: false, host: "127.0.0.1", ports: [4000, 4003], workspace: "w" },
    providers: [ID, "no id at all"],
    providersOverRelay: [ID],
    llmKey: "secret-key",
  };
  const get = vi.fn(async (keys: string[]) => {
    return Object.fromEntries(keys.filter((key) => key in stored).map((key) => [key, stored[key]]));
  });
  const set = vi.fn(async (items: Record<string, unknown>) => {
    Object.assign(stored, items);
  });
  const remove = vi.fn(async (keys: string[]) => {
    for (const key of keys) delete stored[key];
  });
  vi.stubGlobal("chrome", { storage: { local: { get, set, remove } } });
});

function file(sections: unknown, more: Record<string, unknown> = {}): Blob {
  return new Blob([JSON.stringify({ format: "lumo-settings", version: 1, sections, ...more })]);
}

/** Code and place of a refusal; nothing must have been stored. */
async function refusal(blob: Blob): Promise<[string, string]> {
  const before = JSON.stringify(stored);
  const refused = (await planImport(blob, OWN_SECTIONS).catch((cause: unknown) => cause)) as ImportRefused;
  expect(JSON.stringify(stored)).toBe(before);
  return [refused.code, refused.where];
}

describe("a settings file", () => {
  it("goes out without secrets and comes back as it was", async () => {
    const text = await exportSettings(OWN_SECTIONS);
    expect(text).not.toContain("secret-key");
    stored = { llmKey: "stays" };
    const plan = await planImport(new Blob([text]), OWN_SECTIONS);
    expect(plan.sections).toEqual(["panel", "relay", "providers"]);
    await applyImport(plan);
    expect(stored).toEqual({
      panelSettings: { language: "zh_CN" },
      relaySettings: { enabled: false, host: "127.0.0.1", ports: [4000, 4003], workspace: "w" },
      providers: [ID],
      providersOverRelay: [ID],
      llmKey: "stays",
    });
  });

  it("changes only the sections that it has", async () => {
    const plan = await planImport(file({ panel: { language: "en" } }), OWN_SECTIONS);
    expect(plan.change).toEqual({ set: { panelSettings: { language: "en" } }, remove: [] });
  });

  it.each([
    ["{", "import_not_json"],
    ["[]", "import_wrong_format"],
    ["null", "import_wrong_format"],
    ['{"format":"other"}', "import_wrong_format"],
    ['{"format":"lumo-settings","version":2,"sections":{}}', "import_wrong_version"],
    ['{"format":"lumo-settings","version":1,"sections":{"__proto__":{"x":1}}}', "import_unknown_member"],
    ["[".repeat(100_000), "import_not_json"],
  ])("%.60s is refused", async (text, code) => {
    expect((await refusal(new Blob([text])))[0]).toBe(code);
  });

  it("is refused unread when it is too large", async () => {
    expect((await refusal(new Blob([" ".repeat(MAX_FILE_BYTES + 1)])))[0]).toBe("import_too_large");
  });

  it("is refused when it has a key, wherever", async () => {
    expect(await refusal(file({ panel: { language: "en", apiKey: "x" } }))).toEqual([
      "import_has_secret",
      "apiKey",
    ]);
  });

  const relay = { enabled: true, host: "127.0.0.1", ports: [4000, 4001] };
  it.each([
    [{ panel: { language: "xx" } }, "panel.language"],
    [{ panel: 7 }, "panel"],
    [{ relay: { ...relay, host: "evil.example" } }, "relay"],
    [{ relay: { ...relay, ports: [1, 9000] } }, "relay"],
    [{ relay: { ...relay, ports: [4000] } }, "relay.ports"],
    [{ relay: { ...relay, ports: [4000, "4001"] } }, "relay.ports[1]"],
    [{ relay: { ...relay, enabled: "yes" } }, "relay.enabled"],
    [{ relay: { ...relay, workspace: "w".repeat(201) } }, "relay.workspace"],
    [{ providers: { ids: ["../x"], offered: [] } }, "providers.ids[0]"],
    [{ providers: { ids: [ID, ID], offered: [] } }, "providers.ids"],
    [{ providers: { ids: [], offered: [ID] } }, "providers.offered"],
  ])("%j is refused at its place", async (sections, where) => {
    expect(await refusal(file(sections))).toEqual(["import_invalid", where]);
  });

  it.each([
    [{ unknown: {} }, "sections.unknown"],
    [{ panel: { language: "en", extra: 1 } }, "panel.extra"],
  ])("%j is refused for what it has too much", async (sections, where) => {
    expect(await refusal(file(sections))).toEqual(["import_unknown_member", where]);
  });

  it("with one wrong section changes nothing of the right ones", async () => {
    expect(await refusal(file({ panel: { language: "en" }, relay: 7 }))).toEqual(["import_invalid", "relay"]);
  });
});
