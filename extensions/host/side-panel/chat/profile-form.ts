/** The form of one of the user's own agents. */
import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  type AgentProfile,
  LLM_PROTOCOLS,
  type ProfileProblem,
  type Profiles,
  type Skill,
} from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { errorLine, field } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { readProfile } from "./profile-draft.ts";

/** Fires `lumo-form-closed` when it is done with, saved or not. */
@customElement("lumo-profile-form")
export class ProfileForm extends LumoElement {
  static override styles = shared;

  @property({ attribute: false }) profiles!: Profiles;
  @property({ attribute: false }) profile!: AgentProfile;
  @state() private problems: ProfileProblem[] = [];
  @state() private skills: readonly Skill[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.skills = this.profile.skills;
  }

  override render(): TemplateResult {
    const { name, rules, inheritGlobalRules } = this.profile;
    return html`<form class="card stack" aria-label=${t("profileForm")} @submit=${this.save} novalidate>
      ${field(t("profileName"), html`<input type="text" name="name" maxlength="60" .value=${name} />`, { required: true })}
      ${field(t("profileRules"), html`<textarea name="rules" rows="5" .value=${rules}></textarea>`, { hint: t("profileRulesHint") })}
      <label class="line"><input type="checkbox" name="inheritGlobalRules" .checked=${inheritGlobalRules} />${t("inheritGlobalRules")}</label>
      ${this.skillFields()} ${this.callLimit()} ${this.override()}
      ${this.problems.map((problem) => errorLine("invalid", t(`profileField_${problem.field}`, problem.message), `problem-${problem.field}`))}
      <div class="row">
        <button class="primary" type="submit">${t("save")}</button>
        <button type="button" @click=${this.close}>${t("cancel")}</button>
      </div>
    </form>`;
  }

  private skillFields(): TemplateResult {
    return html`<div class="stack" role="group" aria-label=${t("skills")}>
      <span class="label">${t("skills")}</span>
      ${this.skills.map((skill, index) => this.skillField(skill, index))}
      <div><button type="button" @click=${this.addSkill}>${t("addSkill")}</button></div>
    </div>`;
  }

  private skillField({ name, text }: Skill, index: number): TemplateResult {
    const number = index + 1;
    return html`<fieldset class="stack">
      <input type="text" aria-label=${t("skillName", number)} placeholder=${t("skillName", number)} .value=${name}
        @input=${(event: Event) => this.changeSkill(index, { name: textIn(event) })} />
      <textarea aria-label=${t("skillText", number)} placeholder=${t("skillText", number)} .value=${text}
        @input=${(event: Event) => this.changeSkill(index, { text: textIn(event) })}></textarea>
      <div><button type="button" class="plain" @click=${() => this.removeSkill(index)}>${t("removeSkill", number)}</button></div>
    </fieldset>`;
  }

  private callLimit(): TemplateResult {
    const calls = this.profile.callsPerTurn;
    const input = html`<input type="number" name="callsPerTurn" min="1" .value=${calls === undefined ? "" : String(calls)} />`;
    return field(t("callsPerTurn"), input, { hint: t("callsPerTurnHint") });
  }

  private override(): TemplateResult {
    const { llm = {} } = this.profile;
    return html`<details ?open=${Object.keys(llm).length > 0}>
      <summary>${t("llmOverride")}</summary>
      <div class="stack">
        <p class="muted">${t("llmOverrideHint")}</p>
        ${field(t("llmProtocol"), this.protocolSelect(llm.protocol))}
        ${this.overrideField("baseUrl", llm.baseUrl)} ${this.overrideField("path", llm.path)}
        ${this.overrideField("model", llm.model)}
        ${field(t("llm_maxTokens"), html`<input type="number" name="maxTokens" min="1" .value=${String(llm.maxTokens ?? "")} />`)}
      </div>
    </details>`;
  }

  private protocolSelect(chosen: string | undefined): TemplateResult {
    return html`<select name="protocol">
      <option value="">${t("asInSettings")}</option>
      ${LLM_PROTOCOLS.map(
        (protocol) =>
          html`<option value=${protocol} ?selected=${protocol === chosen}>${t(`protocol_${protocol.replaceAll("-", "_")}`)}</option>`,
      )}
    </select>`;
  }

  private overrideField(name: "baseUrl" | "path" | "model", value: string | undefined): TemplateResult {
    return field(
      t(`llm_${name}`),
      html`<input type="text" name=${name} autocomplete="off" spellcheck="false" .value=${value ?? ""} placeholder=${t("asInSettings")} />`,
    );
  }

  private addSkill(): void {
    this.skills = [...this.skills, { name: "", text: "" }];
  }

  private changeSkill(index: number, change: Partial<Skill>): void {
    this.skills = this.skills.map((skill, at) => (at === index ? { ...skill, ...change } : skill));
  }

  private removeSkill(index: number): void {
    this.skills = this.skills.filter((_, at) => at !== index);
  }

  private async save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const draft = readProfile(this.profile, new FormData(event.target as HTMLFormElement), this.skills);
    this.problems = await this.profiles.save(draft);
    if (this.problems.length === 0) this.close();
  }

  private close(): void {
    this.dispatchEvent(new CustomEvent("lumo-form-closed", { bubbles: true, composed: true }));
  }
}

function textIn(event: Event): string {
  return (event.target as HTMLInputElement | HTMLTextAreaElement).value;
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-profile-form": ProfileForm;
  }
}
