/** The agents: built-in ones, the user's own, and the rules that all may inherit. */
import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import {
  type AgentProblem,
  type AgentProfile,
  type Profiles,
  problemOf,
} from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { badge, doneLine, errorLine, field, iconButton, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { problemText } from "./problem-text.ts";
import { copyOf, newProfile } from "./profile-draft.ts";
import "./profile-form.ts";
import { profileName } from "./profile-name.ts";
import "../ui/two-step.ts";

@customElement("lumo-profiles-view")
export class ProfilesView extends LumoElement {
  static override styles = [
    shared,
    css`
      li.card { display: flex; gap: var(--space-1); align-items: center; padding: var(--space-2) var(--space-3); }
      lumo-two-step { flex: none; }
    `,
  ];

  @property({ attribute: false }) profiles!: Profiles;
  @state() private edited: AgentProfile | undefined;
  @state() private saved = false;
  @state() private problem: AgentProblem | undefined;
  private stop: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = this.profiles.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  override render(): TemplateResult {
    return html`<section class="tab" aria-label=${t("profiles")}>
      <div class="row">
        ${iconButton("close", t("backToChat"), () => this.dispatchEvent(new CustomEvent("lumo-close")))}
        <h2 class="grow">${t("profiles")}</h2>
      </div>
      ${this.problem ? errorLine(this.problem.code, problemText(this.problem)) : ""}
      ${this.edited ? this.form(this.edited) : this.overview()}
    </section>`;
  }

  private form(profile: AgentProfile): TemplateResult {
    const close = () => {
      this.edited = undefined;
    };
    return html`<lumo-profile-form
      .profiles=${this.profiles} .profile=${profile} @lumo-form-closed=${close}
    ></lumo-profile-form>`;
  }

  private overview(): TemplateResult {
    const { agents } = this.profiles.state;
    return html`
      <ul class="stack" aria-label=${t("profiles")}>
        ${repeat(
          agents,
          ({ id }) => id,
          (profile) => this.line(profile),
        )}
      </ul>
      <div><button class="primary" @click=${() => this.edit(newProfile())}>${icon("add")}${t("newProfile")}</button></div>
      ${this.globalRules()}
    `;
  }

  private line(profile: AgentProfile): TemplateResult {
    const name = profileName(profile);
    return html`<li class="card" data-testid="profile" data-id=${profile.id}>
      <span class="grow cut">${name}</span>
      ${profile.builtIn ? badge(t("builtIn")) : ""}
      ${iconButton("copy", t("copyProfile", name), () => this.edit(copyOf(profile, t("copyName", name))))}
      ${profile.builtIn ? "" : this.ownActions(profile, name)}
    </li>`;
  }

  private ownActions(profile: AgentProfile, name: string): Part {
    return html`
      ${iconButton("edit", t("editNamed", name), () => this.edit(profile))}
      <lumo-two-step .name=${t("deleteNamed", name)} .question=${t("reallyDelete")} .questionName=${t("reallyDeleteNamed", name)}
        @confirmed=${() => this.attempt(() => this.profiles.remove(profile.id))}></lumo-two-step>
    `;
  }

  private globalRules(): TemplateResult {
    return html`<form class="card stack" aria-label=${t("globalRules")} @submit=${this.saveRules}>
      ${field(
        t("globalRules"),
        html`<textarea name="rules" rows="4" .value=${this.profiles.globalRules}></textarea>`,
        { hint: t("globalRulesHint") },
      )}
      ${this.saved ? doneLine(t("saved")) : ""}
      <div><button type="submit">${t("saveRules")}</button></div>
    </form>`;
  }

  private edit(profile: AgentProfile): void {
    this.edited = profile;
    this.saved = false;
  }

  private async saveRules(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const rules = String(new FormData(event.target as HTMLFormElement).get("rules") ?? "");
    this.saved = await this.attempt(() => this.profiles.setGlobalRules(rules));
  }

  private async attempt(action: () => Promise<void>): Promise<boolean> {
    this.problem = undefined;
    try {
      await action();
      return true;
    } catch (cause) {
      this.problem = problemOf(cause);
      return false;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-profiles-view": ProfilesView;
  }
}
