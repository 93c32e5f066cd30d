/** Settings of the panel itself, the relay and the providers in a settings file. */
import { isExtensionId, PROVIDERS_KEY } from "../../../contract/lumo.ts";
import { OFFERED_PROVIDERS_KEY } from "../../../contract/providers.ts";
import {
  parseRelaySettings,
  RELAY_SETTINGS_KEY,
  type RelaySettings,
  settingsProblem,
} from "../../../contract/settings.ts";
import { LANGUAGES } from "../i18n.ts";
import { PANEL_SETTINGS_KEY, type PanelSettings, parsePanelSettings } from "../panel-settings.ts";
import { flag, invalid, list, oneOf, record, text, whole } from "./refusal.ts";
import type { SettingsSection } from "./section.ts";

const MAX_PROVIDERS = 100;
const MAX_NAME = 200;

const panel: SettingsSection = {
  name: "panel",
  keys: [PANEL_SETTINGS_KEY],
  read: (stored) => ({ language: parsePanelSettings(stored[PANEL_SETTINGS_KEY]).language }),
  apply(value, _stored, where) {
    const { language } = record(value, where, ["language"]);
    const settings: PanelSettings = { language: oneOf(language, `${where}.language`, LANGUAGES) };
    return { set: { [PANEL_SETTINGS_KEY]: settings } };
  },
};

const relay: SettingsSection = {
  name: "relay",
  keys: [RELAY_SETTINGS_KEY],
  read: (stored) => parseRelaySettings(stored[RELAY_SETTINGS_KEY]),
  apply: (value, _stored, where) => ({ set: { [RELAY_SETTINGS_KEY]: relaySettings(value, where) } }),
};

function relaySettings(value: unknown, where: string): RelaySettings {
  const members = ["enabled", "host", "ports", "relayId", "workspace", "listAllTabs"] as const;
  const { enabled, host, ports, ...optional } = record(value, where, members);
  const [first, last, ...more] = list(ports, `${where}.ports`, 2, (port, at) => whole(port, at, 1, 65_535));
  if (first === undefined || last === undefined || more.length > 0) invalid(`${where}.ports`);
  const settings: RelaySettings = {
    enabled: flag(enabled, `${where}.enabled`),
    host: text(host, `${where}.host`, MAX_NAME),
    ports: [first, last],
  };
  for (const name of ["relayId", "workspace"] as const) {
    if (optional[name] !== undefined) settings[name] = text(optional[name], `${where}.${name}`, MAX_NAME);
  }
  if (optional.listAllTabs !== undefined)
    settings.listAllTabs = flag(optional.listAllTabs, `${where}.listAllTabs`);
  return settingsProblem(settings) === undefined ? settings : invalid(where);
}

const providers: SettingsSection = {
  name: "providers",
  keys: [PROVIDERS_KEY, OFFERED_PROVIDERS_KEY],
  read: (stored) => ({
    ids: extensionIds(stored[PROVIDERS_KEY]),
    offered: extensionIds(stored[OFFERED_PROVIDERS_KEY]),
  }),
  apply(value, _stored, where) {
    const { ids, offered } = record(value, where, ["ids", "offered"]);
    const all = list(ids, `${where}.ids`, MAX_PROVIDERS, extensionId);
    const some = list(offered, `${where}.offered`, MAX_PROVIDERS, extensionId);
    if (new Set(all).size < all.length) invalid(`${where}.ids`);
    if (!some.every((id) => all.includes(id))) invalid(`${where}.offered`);
    return { set: { [PROVIDERS_KEY]: all, [OFFERED_PROVIDERS_KEY]: some } };
  },
};

function extensionId(value: unknown, where: string): string {
  return isExtensionId(value) ? value : invalid(where);
}

function extensionIds(stored: unknown): string[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(isExtensionId);
}

export const OWN_SECTIONS: readonly SettingsSection[] = [panel, relay, providers];
