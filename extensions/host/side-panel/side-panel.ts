/** Entry of the side panel: language and last tab are known before anything is drawn. */
import "./shell/lumo-app.ts";
import { nameDocument, useLanguage } from "./i18n.ts";
import { PanelModel } from "./panel-model.ts";
import {
  lastTab,
  loadPanelSettings,
  PANEL_SETTINGS_KEY,
  parsePanelSettings,
  rememberTab,
} from "./panel-settings.ts";
import { FIRST_TAB, isTabId } from "./shell/tab-registry.ts";

const model = new PanelModel();

async function begin(): Promise<void> {
  const { language } = await loadPanelSettings();
  nameDocument();
  await useLanguage(language);
  const app = document.createElement("lumo-app");
  const tab = lastTab();
  app.remember = rememberTab;
  app.start(model, isTabId(tab) ? tab : FIRST_TAB);
  document.body.replaceChildren(app);
}

chrome.storage.local.onChanged.addListener((changes) => {
  const change = changes[PANEL_SETTINGS_KEY];
  if (change) void useLanguage(parsePanelSettings(change.newValue).language);
});
void begin();
void model.start();

// A handle for people in the console, and for tests that measure: the same way that a click takes.
Object.assign(globalThis, { lumoPanel: model.handle });
