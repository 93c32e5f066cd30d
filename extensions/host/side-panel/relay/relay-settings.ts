/** The form of `relaySettings`. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { type RelaySettings, settingsProblem } from "../../../contract/settings.ts";
import { t } from "../i18n.ts";
import type { PanelModel } from "../panel-model.ts";
import { LumoElement } from "../ui/elements.ts";
import { doneLine, errorLine, field } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";

@customElement("lumo-relay-settings")
export class RelaySettingsForm extends LumoElement {
  static override styles = [
    shared,
    css`.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: var(--space-3); }`,
  ];

  @property({ attribute: false }) model!: PanelModel;
  @property({ attribute: false }) stored!: RelaySettings;
  @state() private message: TemplateResult | undefined;

  override render(): TemplateResult {
    const { enabled, host, ports, relayId = "", workspace = "", listAllTabs = false } = this.stored;
    return html`<form class="card stack" aria-label=${t("relaySettings")} @submit=${this.save}>
      <h2>${t("relaySettings")}</h2>
      ${this.check("enabled", enabled)} ${this.text("host", host)}
      <div class="pair">${this.port("firstPort", ports[0])} ${this.port("lastPort", ports[1])}</div>
      ${this.text("relayId", relayId)} ${this.text("workspace", workspace)}
      ${this.check("listAllTabs", listAllTabs)}
      ${this.message ?? nothing}
      <div class="row"><button class="primary" type="submit" data-testid="settings-save">${t("save")}</button></div>
    </form>`;
  }

  private check(name: string, value: boolean): TemplateResult {
    return html`<label class="line"
      ><input type="checkbox" name=${name} data-testid="setting-${name}" .checked=${value} />${t(`setting_${name}`)}</label
    >`;
  }

  private text(name: string, value: string): TemplateResult {
    return field(
      t(`setting_${name}`),
      html`<input type="text" name=${name} data-testid="setting-${name}" .value=${value} autocomplete="off" />`,
    );
  }

  private port(name: string, value: number): TemplateResult {
    return field(
      t(`setting_${name}`),
      html`<input type="number" name=${name} data-testid="setting-${name}" .value=${String(value)} min="1" max="65535" />`,
    );
  }

  private async save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const settings = readForm(new FormData(event.target as HTMLFormElement));
    const problem = settingsProblem(settings);
    if (problem) {
      this.message = errorLine(problem, t(`problem_${problem}`), "settings-message");
      return;
    }
    await this.model.saveSettings(settings);
    this.message = doneLine(t("saved"), "settings-message");
  }
}

function readForm(form: FormData): RelaySettings {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const relayId = text("relayId");
  const workspace = text("workspace");
  return {
    enabled: form.has("enabled"),
    host: text("host"),
    ports: [Number(text("firstPort")), Number(text("lastPort"))],
    ...(relayId ? { relayId } : {}),
    ...(workspace ? { workspace } : {}),
    ...(form.has("listAllTabs") ? { listAllTabs: true } : {}),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-relay-settings": RelaySettingsForm;
  }
}
