/** All settings as a file: export, and an import that is looked at before it is made. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { t } from "../i18n.ts";
import type { PanelModel } from "../panel-model.ts";
import { ImportRefused } from "../transfer/refusal.ts";
import { applyImport, exportSettings, type ImportPlan, planImport } from "../transfer/settings-file.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { doneLine, errorLine, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { dated, saveFile } from "./save-file.ts";
import { SECTIONS } from "./sections.ts";

/** Characters of a refused member's path that are shown. */
const MAX_PATH = 120;

type Outcome =
  | { kind: "refused"; code: string; where: string }
  | { kind: "planned"; plan: ImportPlan }
  | { kind: "applied" };

@customElement("lumo-settings-transfer")
export class SettingsTransfer extends LumoElement {
  static override styles = [shared, css`ul { list-style: disc; padding-left: var(--space-4); }`];

  @property({ attribute: false }) model!: PanelModel;
  @state() private outcome: Outcome | undefined;
  @query("input") private input!: HTMLInputElement;

  override render(): TemplateResult {
    return html`<section class="card stack" aria-label=${t("settingsFile")}>
      <h2>${t("settingsFile")}</h2>
      <p class="muted">${t("settingsFileHint")}</p>
      <div class="row">
        <button type="button" data-testid="settings-export" @click=${this.export}>${icon("download")}${t("settingsExport")}</button>
        <button type="button" data-testid="settings-import" @click=${() => this.input.click()}>${icon("upload")}${t("settingsImport")}</button>
        <input type="file" accept=".json,application/json" hidden aria-label=${t("settingsImport")} data-testid="settings-file" @change=${this.look} />
      </div>
      ${this.outcomeView()}
    </section>`;
  }

  private outcomeView(): Part {
    const { outcome } = this;
    if (!outcome) return nothing;
    if (outcome.kind === "applied") return doneLine(t("imported"), "import-applied");
    if (outcome.kind === "planned") return this.question(outcome.plan);
    return errorLine(outcome.code, t(outcome.code, outcome.where.slice(0, MAX_PATH)), "import-refused");
  }

  private question(plan: ImportPlan): TemplateResult {
    return html`<div class="stack" role="group" aria-label=${t("importQuestion")} data-testid="import-plan">
      <p>${t("importQuestion")}</p>
      <ul>${plan.sections.map((name) => html`<li>${t(`section_${name}`)}</li>`)}</ul>
      <div class="row">
        <button type="button" class="primary" data-testid="import-apply" @click=${() => this.apply(plan)}>${t("importApply")}</button>
        <button type="button" @click=${() => this.forget()}>${t("cancel")}</button>
      </div>
    </div>`;
  }

  private async export(): Promise<void> {
    saveFile(dated("lumo-settings", "json"), "application/json", await exportSettings(SECTIONS));
  }

  private async look(): Promise<void> {
    const file = this.input.files?.[0];
    if (!file) return;
    try {
      this.outcome = { kind: "planned", plan: await planImport(file, SECTIONS) };
    } catch (cause) {
      this.refuse(cause);
    }
    // The same file, corrected, can be chosen again.
    this.input.value = "";
  }

  private refuse(cause: unknown): void {
    const { code, where } = cause instanceof ImportRefused ? cause : new ImportRefused("import_unreadable");
    this.outcome = { kind: "refused", code, where };
    this.model.log.add("settings", "import refused", { code });
  }

  private async apply(plan: ImportPlan): Promise<void> {
    await applyImport(plan);
    this.outcome = { kind: "applied" };
    this.model.log.add("settings", "imported", { sections: plan.sections });
  }

  private forget(): void {
    this.outcome = undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-settings-transfer": SettingsTransfer;
  }
}
