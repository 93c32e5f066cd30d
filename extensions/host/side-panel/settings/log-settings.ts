/** The panel's log: how long it is, export and clear. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { t } from "../i18n.ts";
import type { PanelModel } from "../panel-model.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { doneLine } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import "../ui/two-step.ts";
import { dated, saveFile } from "./save-file.ts";

@customElement("lumo-log-settings")
export class LogSettings extends LumoElement {
  static override styles = shared;

  @property({ attribute: false }) model!: PanelModel;
  @state() private size = 0;
  @state() private cleared = false;

  override render(): TemplateResult {
    const { size } = this;
    return html`<section class="card stack" aria-label=${t("log")}>
      <div class="row apart"><h2>${t("log")}</h2><span class="muted" data-testid="log-size">${t("logSize", size)}</span></div>
      <p class="muted">${t("logHint")}</p>
      <div class="row">
        <button type="button" data-testid="log-export" ?disabled=${size === 0} @click=${this.export}>${icon("download")}${t("logExport")}</button>
        <lumo-two-step data-testid="log-clear" .label=${t("logClear")} .question=${t("logReallyClear")} .disabled=${size === 0}
          @confirmed=${this.clear}></lumo-two-step>
      </div>
      ${this.cleared && size === 0 ? doneLine(t("logCleared"), "log-cleared") : nothing}
    </section>`;
  }

  /** Looks how long the log is now. */
  async count(): Promise<void> {
    this.size = await this.model.log.size();
  }

  private async export(): Promise<void> {
    saveFile(dated("lumo-log", "jsonl"), "application/jsonl", await this.model.log.jsonLines());
  }

  private async clear(): Promise<void> {
    await this.model.log.clear();
    this.cleared = true;
    await this.count();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-log-settings": LogSettings;
  }
}
