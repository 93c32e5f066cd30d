/** What the panel remembers about itself. */
import { isLanguage, type Language } from "./i18n.ts";

/** `chrome.storage.local`. */
export const PANEL_SETTINGS_KEY = "panelSettings";

/** `localStorage`, as a change of `chrome.storage` starts the worker. */
const LAST_TAB_KEY = "lastTab";

export interface PanelSettings {
  language: Language;
}

/** Id of the tab that was shown last; it may be one that no longer exists. */
export function lastTab(): string | null {
  return localStorage.getItem(LAST_TAB_KEY);
}

export function rememberTab(id: string): void {
  localStorage.setItem(LAST_TAB_KEY, id);
}

/** Stored settings, each unusable member left at its default. */
export function parsePanelSettings(stored: unknown): PanelSettings {
  const from = typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  return { language: isLanguage(from.language) ? from.language : "auto" };
}

export async function loadPanelSettings(): Promise<PanelSettings> {
  const stored = await chrome.storage.local.get<Record<string, unknown>>(PANEL_SETTINGS_KEY);
  return parsePanelSettings(stored[PANEL_SETTINGS_KEY]);
}

export async function savePanelSettings(settings: PanelSettings): Promise<void> {
  await chrome.storage.local.set({ [PANEL_SETTINGS_KEY]: settings });
}
