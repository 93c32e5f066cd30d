/** The language model: a summary to read, and the form to change it. The key goes in and never comes out. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import {
  type AgentProblem,
  LLM_DEFAULTS,
  LLM_PROTOCOLS,
  type LlmProblem,
  type LlmProtocol,
  type LlmSettings,
  llmProblems,
  problemOf,
} from "../../../agent-chat-core/index.ts";
import { agentServices } from "../chat/agent-services.ts";
import { problemText } from "../chat/problem-text.ts";
import { t } from "../i18n.ts";
import type { PanelModel } from "../panel-model.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { doneLine, errorLine, field, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { protocolName, readLlmForm } from "./llm-form.ts";

@customElement("lumo-llm-settings")
export class LlmSettingsView extends LumoElement {
  static override styles = shared;

  @property({ attribute: false }) model!: PanelModel;
  @state() private llm: LlmSettings | undefined;
  @state() private editing = false;
  @state() private saved = false;
  @state() private problems: LlmProblem[] = [];
  @state() private failure: AgentProblem | undefined;
  @query("form") private form!: HTMLFormElement;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.llm) void this.attempt(() => this.open());
  }

  override render(): TemplateResult {
    return html`<section class="card stack" aria-label=${t("languageModel")} data-testid="llm-settings">
      <h2>${t("languageModel")}</h2>
      ${this.failure ? errorLine(this.failure.code, problemText(this.failure)) : nothing}
      ${this.llm ? this.content(this.llm) : html`<p class="muted">${t("loading")}</p>`}
    </section>`;
  }

  private content(llm: LlmSettings): TemplateResult {
    return this.editing ? this.editForm(llm) : this.summary(llm);
  }

  private summary({ config, hasKey }: LlmSettings): TemplateResult {
    const ready = llmProblems(config).length === 0;
    return html`
      ${ready ? nothing : html`<p class="notice warn" data-testid="llm-unconfigured">${icon("alert")}<span>${t("llmUnconfigured")}</span></p>`}
      <dl class="facts" data-testid="llm-summary">
        <dt>${t("llmProtocol")}</dt><dd>${protocolName(config.protocol)}</dd>
        <dt>${t("llm_baseUrl")}</dt><dd>${config.baseUrl}</dd>
        <dt>${t("llm_path")}</dt><dd>${config.path}</dd>
        <dt>${t("llm_model")}</dt><dd>${config.model || t("notSet")}</dd>
        <dt>${t("llm_maxTokens")}</dt><dd>${config.maxTokens}</dd>
        <dt>${t("llm_key")}</dt><dd data-testid="llm-key">${hasKey ? t("keyStored") : t("notSet")}</dd>
      </dl>
      ${this.saved ? doneLine(t("saved")) : nothing}
      <div><button class=${ready ? "" : "primary"} @click=${this.edit}>${icon("edit")}${t("edit")}</button></div>
    `;
  }

  private editForm({ config, hasKey }: LlmSettings): TemplateResult {
    return html`<form class="stack" aria-label=${t("languageModel")} novalidate @submit=${this.save}>
      ${field(t("llmProtocol"), this.protocolSelect(config.protocol))} ${this.problem("protocol")}
      ${this.text("baseUrl", config.baseUrl, t("baseUrlHint"))} ${this.text("path", config.path, t("pathHint"))}
      ${this.text("model", config.model, t("modelHint"))}
      ${field(t("llm_maxTokens"), html`<input type="number" name="maxTokens" min="1" step="1" .defaultValue=${String(config.maxTokens)} aria-invalid=${this.isWrong("maxTokens")} />`)}
      ${this.problem("maxTokens")} ${this.keyField(hasKey)}
      <div class="row">
        <button class="primary" type="submit">${t("save")}</button>
        <button type="button" @click=${this.cancel}>${t("cancel")}</button>
      </div>
    </form>`;
  }

  private protocolSelect(chosen: LlmProtocol): TemplateResult {
    return html`<select name="protocol" @change=${this.protocolChanged}>
      ${LLM_PROTOCOLS.map(
        (protocol) =>
          html`<option value=${protocol} ?selected=${protocol === chosen}>${protocolName(protocol)}</option>`,
      )}
    </select>`;
  }

  private text(name: "baseUrl" | "path" | "model", value: string, hint: string): TemplateResult {
    const input = html`<input type="text" name=${name} .defaultValue=${value} autocomplete="off" spellcheck="false" aria-invalid=${this.isWrong(name)} />`;
    return html`${field(t(`llm_${name}`), input, { hint, required: true })} ${this.problem(name)}`;
  }

  private keyField(stored: boolean): TemplateResult {
    const input = html`<input type="password" name="key" autocomplete="off" placeholder=${stored ? t("keyKept") : ""} aria-invalid=${this.isWrong("key")} />`;
    return html`${field(t("llm_key"), input, { hint: t("keyHint") })} ${this.problem("key")}
      ${stored ? html`<label class="line"><input type="checkbox" name="removeKey" />${t("removeKey")}</label>` : nothing}`;
  }

  private problem(name: LlmProblem["field"]): Part {
    const found = this.problems.find((problem) => problem.field === name);
    return found ? errorLine("invalid", t(`llmField_${name}`, found.message), `problem-${name}`) : nothing;
  }

  private isWrong(name: LlmProblem["field"]): boolean {
    return this.problems.some((problem) => problem.field === name);
  }

  /** The other protocol's usual address, where the user has not written one of their own. */
  private protocolChanged(event: Event): void {
    const chosen = LLM_DEFAULTS[(event.target as HTMLSelectElement).value as LlmProtocol];
    for (const name of ["baseUrl", "path"] as const) {
      const input = this.form.elements.namedItem(name) as HTMLInputElement;
      const isUsual = Object.values(LLM_DEFAULTS).some((usual) => usual[name] === input.value.trim());
      if (isUsual) input.value = chosen[name];
    }
  }

  private async edit(): Promise<void> {
    this.editing = true;
    this.saved = false;
    await this.updateComplete;
    this.form.querySelector("select")?.focus();
  }

  private cancel(): void {
    this.editing = false;
    this.problems = [];
  }

  private save(event: SubmitEvent): void {
    event.preventDefault();
    const { config, key } = readLlmForm(new FormData(this.form));
    void this.attempt(async () => {
      this.problems = (await this.llm?.save(config, key)) ?? [];
      this.saved = this.problems.length === 0;
      this.editing = !this.saved;
    });
  }

  private async open(): Promise<void> {
    const { llm } = await agentServices(this.model);
    llm.subscribe(() => this.requestUpdate());
    this.llm = llm;
  }

  private async attempt(action: () => Promise<void>): Promise<void> {
    this.failure = undefined;
    try {
      await action();
    } catch (cause) {
      this.failure = problemOf(cause);
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-llm-settings": LlmSettingsView;
  }
}
