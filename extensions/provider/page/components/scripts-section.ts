/** The person's scripts: switch, edit, delete, approve. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { isApproved, mayRun, type Script, sourceKey } from "../../userscripts/model.ts";
import { t } from "../i18n.ts";
import type { ScriptEditor } from "./script-editor.ts";
import { Section } from "./section.ts";
import "./script-editor.ts";
import "./source-view.ts";

type ScriptState = "off" | "unapproved" | "blocked" | "refused" | "runs";

@customElement("scripts-section")
export class ScriptsSection extends Section {
  /** The script whose deletion is to be confirmed. */
  @state() private deleting = "";
  @query("script-editor") private editor!: ScriptEditor;

  override render(): TemplateResult {
    const { scripts } = this.view;
    return html`
      <section aria-labelledby="title">
        <div class="row">
          <h2 id="title" class="grow">${t("scripts")}</h2>
          <button type="button" class="primary" data-testid="script-new" @click=${() => this.editor.create()}>
            ${t("newScript")}
          </button>
        </div>
        ${
          scripts.length === 0
            ? html`<p class="quiet">${t("scriptsEmpty")}</p>`
            : html`<ul>${scripts.map((script) => this.renderScript(script))}</ul>`
        }
        <script-editor></script-editor>
      </section>
    `;
  }

  private stateOf(script: Script): ScriptState {
    if (!script.enabled) return "off";
    if (!mayRun(script, this.view.policy.review)) return "unapproved";
    if (this.view.notReady !== undefined) return "blocked";
    return this.view.refusedScripts[script.uuid] === undefined ? "runs" : "refused";
  }

  private renderScript(script: Script): TemplateResult {
    const { name, description } = script.metadata;
    return html`
      <li class="card" data-testid="script" data-uuid=${script.uuid} data-state=${this.stateOf(script)}>
        <div class="row">
          <input type="checkbox" role="switch" data-testid="script-enabled" aria-label=${t("enabledNamed", name)}
            .checked=${live(script.enabled)} @change=${(event: Event) => this.enable(script, event)} />
          <div class="grow">
            <strong>${name}</strong> <span class="quiet">${t("scriptVersion", script.version)}</span>
            ${this.renderState(script)}
            <p class="quiet">${description}</p>
          </div>
          ${this.renderButtons(script)}
        </div>
        <source-view .metadata=${script.metadata} key=${sourceKey(script.uuid)} digest=${script.sourceDigest}
          caption=${t("presentSource")}></source-view>
      </li>
    `;
  }

  private renderState(script: Script): TemplateResult {
    const state = this.stateOf(script);
    const text = t(`state_${state}`, this.view.refusedScripts[script.uuid] ?? "");
    const tone = state === "runs" ? "good" : state === "off" ? "quiet" : "warn";
    return html`<span class="badge ${tone}" data-testid="script-state">${text}</span>`;
  }

  private renderButtons(script: Script): TemplateResult {
    const { name } = script.metadata;
    return html`
      ${isApproved(script) || !this.view.policy.review ? nothing : this.renderApprove(script)}
      <button type="button" data-testid="script-edit" aria-label=${t("editNamed", name)}
        @click=${() => void this.editor.edit(script)}>${t("edit")}</button>
      ${this.deleting === script.uuid ? this.renderSure(script) : this.renderDelete(script)}
    `;
  }

  private renderApprove(script: Script): TemplateResult {
    const { uuid, sourceDigest: digest, metadata } = script;
    return html`
      <button type="button" class="primary" data-testid="script-approve"
        aria-label=${t("approveSourceNamed", metadata.name)}
        @click=${() => this.ask({ type: "script/approve", uuid, digest })}>${t("approveSource")}</button>
    `;
  }

  private renderDelete(script: Script): TemplateResult {
    return html`
      <button type="button" data-testid="script-delete" aria-label=${t("deleteNamed", script.metadata.name)}
        @click=${() => {
          this.deleting = script.uuid;
        }}>${t("delete")}</button>
    `;
  }

  private renderSure(script: Script): TemplateResult {
    return html`
      <button type="button" class="danger" data-testid="script-delete-sure"
        @click=${() => this.ask({ type: "script/delete", uuid: script.uuid })}
        @blur=${() => {
          this.deleting = "";
        }}>${t("deleteSure")}</button>
    `;
  }

  /** The button that was pressed is gone: the one in its place takes the focus. */
  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("deleting") || this.deleting === "") return;
    this.renderRoot.querySelector<HTMLElement>("[data-testid=script-delete-sure]")?.focus();
  }

  private enable(script: Script, event: Event): void {
    const enabled = (event.target as HTMLInputElement).checked;
    this.ask({ type: "script/enable", uuid: script.uuid, enabled });
  }
}
