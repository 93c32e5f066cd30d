/** The form of a remote agent. The token goes in and never comes out. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type {
  A2aAgents,
  A2aAgentView,
  A2aDraft,
  A2aTest,
  AgentProblem,
  DraftProblem,
} from "../../../agent-chat-core/index.ts";
import { problemOf } from "../../../agent-chat-core/index.ts";
import { problemText } from "../chat/problem-text.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { errorLine, field, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { readDraft } from "./draft.ts";
import { testLine } from "./test-line.ts";

/** Fires `lumo-agent-form-closed` when it is done with, saved or not. */
@customElement("lumo-agent-form")
export class AgentForm extends LumoElement {
  static override styles = shared;

  @property({ attribute: false }) agents!: A2aAgents;
  /** `undefined`: a new agent. */
  @property({ attribute: false }) edited: A2aAgentView | undefined;
  @state() private problems: DraftProblem[] = [];
  @state() private failure: AgentProblem | undefined;
  @state() private outcome: A2aTest | undefined;
  @state() private abort: AbortController | undefined;
  @query("form") private form!: HTMLFormElement;

  override firstUpdated(): void {
    this.form.querySelector("input")?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.abort?.abort();
  }

  override render(): TemplateResult {
    const { id = "", cardUrl = "", endpoint = "" } = this.edited?.agent ?? {};
    return html`<form class="card stack" aria-label=${t("agentForm")} novalidate @submit=${this.save}>
      ${this.textField("id", t("agentId"), id, { hint: t("agentIdHint"), required: true })}
      ${this.textField("cardUrl", t("cardUrl"), cardUrl, { hint: t("cardUrlHint"), required: true })}
      ${this.textField("endpoint", t("endpointOptional"), endpoint, { hint: t("endpointHint") })}
      ${this.tokenField()}
      ${this.failure ? errorLine(this.failure.code, problemText(this.failure)) : nothing}
      ${this.outcome ? testLine(this.outcome) : nothing}
      <div class="row">
        <button class="primary" type="submit">${t("save")}</button>
        <button type="button" @click=${this.close}>${t("cancel")}</button>
        ${this.testButton()}
      </div>
    </form>`;
  }

  private textField(
    name: "id" | "cardUrl" | "endpoint",
    label: string,
    value: string,
    more: { hint: string; required?: boolean },
  ): TemplateResult {
    const wrong = this.problems.some((problem) => problem.field === name);
    const input = html`<input type="text" name=${name} .defaultValue=${value} autocomplete="off" spellcheck="false" aria-invalid=${wrong} />`;
    return html`${field(label, input, more)} ${this.fieldProblem(name)}`;
  }

  private tokenField(): TemplateResult {
    const stored = this.edited?.hasToken === true;
    const input = html`<input type="password" name="token" autocomplete="off" placeholder=${stored ? t("tokenKept") : ""} />`;
    return html`${field(t("tokenOptional"), input, { hint: t("tokenHint") })} ${this.fieldProblem("token")}
      ${stored ? html`<label class="line"><input type="checkbox" name="removeToken" />${t("removeToken")}</label>` : nothing}`;
  }

  private fieldProblem(name: DraftProblem["field"]): Part {
    const problem = this.problems.find((one) => one.field === name);
    return problem
      ? errorLine("invalid", t(`a2aField_${name}`, problem.message), `problem-${name}`)
      : nothing;
  }

  private testButton(): TemplateResult {
    if (this.abort)
      return html`<button type="button" @click=${() => this.abort?.abort()}>${t("stopTest")}</button>`;
    return html`<button type="button" @click=${this.test}>${t("testConnection")}</button>`;
  }

  private draft(): A2aDraft {
    return readDraft(new FormData(this.form));
  }

  private async save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.failure = undefined;
    try {
      this.problems = await this.agents.save(this.draft(), this.edited?.agent.id);
      if (this.problems.length === 0) this.close();
    } catch (cause) {
      this.failure = problemOf(cause);
    }
  }

  private async test(): Promise<void> {
    const draft = this.draft();
    const editing = this.edited?.agent.id;
    this.problems = this.agents.problems(draft, editing);
    this.outcome = undefined;
    if (this.problems.length > 0) return;
    const abort = new AbortController();
    this.abort = abort;
    const outcome = await this.agents.test(draft, editing, abort.signal);
    this.abort = undefined;
    if (!abort.signal.aborted) this.outcome = outcome;
  }

  private close(): void {
    this.dispatchEvent(new CustomEvent("lumo-agent-form-closed", { bubbles: true, composed: true }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-agent-form": AgentForm;
  }
}
