/** Settings: the language model, the panel's language, its log, and all settings as a file. */
import { html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, query } from "lit/decorators.js";
import { LANGUAGES, type Language, language, t } from "../i18n.ts";
import { savePanelSettings } from "../panel-settings.ts";
import { PanelTab } from "../ui/elements.ts";
import { field } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import "./llm-settings.ts";
import "./log-settings.ts";
import type { LogSettings } from "./log-settings.ts";
import "./settings-transfer.ts";

/** A language is named in itself, whatever the panel speaks. */
const LANGUAGE_NAMES: Record<Exclude<Language, "auto">, string> = { en: "English", zh_CN: "简体中文" };

@customElement("lumo-settings-tab")
export default class SettingsTab extends PanelTab {
  static override styles = shared;

  @query("lumo-log-settings") private log!: LogSettings;

  override render(): TemplateResult {
    return html`<div class="tab">
      <lumo-llm-settings .model=${this.model}></lumo-llm-settings>
      <section class="card stack" aria-label=${t("appearance")}>
        <h2>${t("appearance")}</h2>
        ${field(t("language"), this.languageChoice(), { hint: t("languageHint") })}
      </section>
      <lumo-log-settings .model=${this.model}></lumo-log-settings>
      <lumo-settings-transfer .model=${this.model}></lumo-settings-transfer>
    </div>`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("active")) void this.log.count();
  }

  private languageChoice(): TemplateResult {
    const option = (one: Language) =>
      html`<option value=${one} ?selected=${one === language()}>${
        one === "auto" ? t("languageAuto") : LANGUAGE_NAMES[one]
      }</option>`;
    return html`<select data-testid="language" @change=${this.chooseLanguage}>${LANGUAGES.map(option)}</select>`;
  }

  private chooseLanguage(event: Event): void {
    void savePanelSettings({ language: (event.target as HTMLSelectElement).value as Language });
  }
}
