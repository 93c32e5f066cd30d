/** Storage keys and shapes that the harness and the panel know by name. */

/** `chrome.storage.local`. */
export const RELAY_SETTINGS_KEY = "relaySettings";
/** `chrome.storage.session`. */
export const TAB_SELECTION_KEY = "relayTabSelection";

export interface RelaySettings {
  /** `false` opens and probes nothing. */
  enabled: boolean;
  /** A loopback name or address. */
  host: string;
  /** First and last port of the scan, both included. */
  ports: [number, number];
  /** Where given, only a relay whose hello says so is taken. */
  relayId?: string;
  workspace?: string;
  /** `list_tabs` over the relay shows all tabs, not only the selected ones. */
  listAllTabs?: boolean;
}

export const DEFAULT_RELAY_SETTINGS: RelaySettings = {
  enabled: true,
  host: "127.0.0.1",
  ports: [9333, 9348],
};

export interface TabSelection {
  tabIds: number[];
}

/** Why settings cannot be used; the panel has a sentence for each. */
export type SettingsProblem = "host_not_loopback" | "ports_invalid" | "ports_too_many";

/** A scan of more ports would look like an attack and take seconds. */
export const MAX_SCAN_PORTS = 64;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

function isPort(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65_535;
}

/** What is wrong with the settings, or `undefined`. */
export function settingsProblem(settings: RelaySettings): SettingsProblem | undefined {
  const [first, last] = settings.ports;
  if (!LOOPBACK.test(settings.host)) return "host_not_loopback";
  if (!isPort(first) || !isPort(last) || first > last) return "ports_invalid";
  return last - first >= MAX_SCAN_PORTS ? "ports_too_many" : undefined;
}

function textOrNothing<K extends string>(key: K, value: unknown): { [key in K]?: string } {
  return typeof value === "string" && value !== "" ? ({ [key]: value } as { [key in K]: string }) : {};
}

function portsOf(value: unknown): [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return [...DEFAULT_RELAY_SETTINGS.ports];
  return [Number(value[0]), Number(value[1])];
}

/**
 * Stored settings as the worker uses them. Missing members are the defaults; what is stored but unusable (no
 * loopback host, misshapen ports) is kept, so that `settingsProblem` can name it.
 */
export function parseRelaySettings(stored: unknown): RelaySettings {
  if (typeof stored !== "object" || stored === null) return { ...DEFAULT_RELAY_SETTINGS };
  const from = stored as Record<string, unknown>;
  return {
    enabled: from.enabled !== false,
    host: typeof from.host === "string" ? from.host : DEFAULT_RELAY_SETTINGS.host,
    ports: portsOf(from.ports),
    ...textOrNothing("relayId", from.relayId),
    ...textOrNothing("workspace", from.workspace),
    ...(from.listAllTabs === true ? { listAllTabs: true } : {}),
  };
}

/** The stored selection, or `undefined` where there is none that makes sense. */
export function parseSelection(stored: unknown): TabSelection | undefined {
  if (typeof stored !== "object" || stored === null || !("tabIds" in stored)) return undefined;
  const { tabIds } = stored;
  if (!Array.isArray(tabIds)) return undefined;
  return { tabIds: [...new Set(tabIds.filter((id): id is number => Number.isInteger(id)))] };
}
