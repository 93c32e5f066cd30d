/** As much of `chrome` in memory as the provider's store needs; every call is on record, in order. */
import { vi } from "vitest";

type Items = Record<string, unknown>;

export interface FakeChrome {
  local: Items;
  session: Items;
  /** Registered userscripts by id: their code. */
  registered: Map<string, string>;
  /** Storage writes in order, with the alarms that were set at that moment. */
  writes: { area: "local" | "session"; items: Items; alarms: string[] }[];
  alarms: Set<string>;
  /** Text on the toolbar button. */
  badge: string;
  /** The browser's "Allow User Scripts" toggle. */
  toggle: boolean;
}

export const OWN_ID = "o".repeat(32);

function storageArea(fake: FakeChrome, area: "local" | "session") {
  return {
    get: async (keys: string | string[]) => {
      const wanted = [keys].flat().filter((key) => key in fake[area]);
      return structuredClone(Object.fromEntries(wanted.map((key) => [key, fake[area][key]])));
    },
    getKeys: async () => Object.keys(fake[area]),
    set: async (items: Items) => {
      fake.writes.push({ area, items: structuredClone(items), alarms: [...fake.alarms] });
      Object.assign(fake[area], structuredClone(items));
    },
    remove: async (keys: string | string[]) => {
      for (const key of [keys].flat()) delete fake[area][key];
    },
  };
}

interface Registration {
  id: string;
  js: { code: string }[];
}

function userScripts(fake: FakeChrome) {
  const allowed = () => {
    if (!fake.toggle) throw new Error("'userScripts.getScripts' is not available in this context.");
  };
  return {
    getScripts: async () => {
      allowed();
      return [...fake.registered.keys()].map((id) => ({ id }));
    },
    register: async (scripts: Registration[]) => {
      allowed();
      for (const script of scripts) fake.registered.set(script.id, script.js[0]!.code);
    },
    unregister: async (filter: { ids: string[] }) => {
      allowed();
      for (const id of filter.ids) fake.registered.delete(id);
    },
  };
}

/** Puts a fresh fake in place of `chrome`. */
export function installFakeChrome(): FakeChrome {
  const fake: FakeChrome = {
    local: {},
    session: {},
    registered: new Map(),
    writes: [],
    alarms: new Set(),
    badge: "",
    toggle: true,
  };
  vi.stubGlobal("chrome", {
    storage: { local: storageArea(fake, "local"), session: storageArea(fake, "session") },
    userScripts: userScripts(fake),
    alarms: {
      create: async (name: string) => void fake.alarms.add(name),
      clear: async (name: string) => fake.alarms.delete(name),
    },
    action: {
      setBadgeText: async ({ text }: { text: string }) => {
        fake.badge = text;
      },
    },
    runtime: {
      id: OWN_ID,
      getURL: (path: string) => `chrome-extension://${OWN_ID}/${path}`,
      getManifest: () => ({ version: "9.9.9" }),
      getPlatformInfo: async () => ({}),
    },
    i18n: { getMessage: (key: string) => key },
  });
  return fake;
}
