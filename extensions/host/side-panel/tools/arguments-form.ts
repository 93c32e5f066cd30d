/** The arguments of a call: a form made of the tool's schema, or JSON as typed. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { PageTool } from "../../../contract/page-tools.ts";
import { argumentSkeleton, parseArguments } from "../arguments.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { errorLine } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { draftFor, emptyGroup, type GroupDraft, type Problem, readDraft } from "./draft.ts";
import { groupBody } from "./field-view.ts";
import { fieldsOf, type GroupField } from "./schema-field.ts";

type Mode = "form" | "json";

@customElement("lumo-arguments-form")
export class ArgumentsForm extends LumoElement {
  static override styles = [
    shared,
    css`
      .modes { display: inline-flex; border: 1px solid var(--line); border-radius: var(--radius-m); overflow: hidden; }
      .modes button { min-height: 26px; padding: 0 var(--space-3); border: 0; border-radius: 0; font-size: var(--text-s); color: var(--muted); background: none; }
      .modes button[aria-pressed="true"] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
      .modes button:focus-visible { outline-offset: -2px; }
      .item { align-items: start; flex-wrap: nowrap; }
      .item > button { margin-top: 20px; }
    `,
  ];

  @property({ attribute: false }) tool!: PageTool;
  @state() private mode: Mode = "form";
  @state() private draft: GroupDraft = {};
  @state() private problems: readonly Problem[] = [];
  @state() private refusal: { code: string; text: string } | undefined;
  @query("textarea.whole") private json!: HTMLTextAreaElement | null;
  private fields: GroupField | undefined;
  private schemaShown = "";
  private typed = "";

  /** Another schema begins anew; the same one, listed again, leaves what was typed. */
  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("tool")) return;
    const schema = JSON.stringify(this.tool.inputSchema);
    if (schema === this.schemaShown) return;
    this.schemaShown = schema;
    this.fields = fieldsOf(this.tool.inputSchema);
    this.draft = this.fields ? emptyGroup(this.fields) : {};
    this.typed = argumentSkeleton(this.tool);
    this.mode = this.fields ? "form" : "json";
  }

  override render(): TemplateResult {
    return html`<div class="stack">
      ${this.fields ? this.modes() : nothing}
      ${this.mode === "form" && this.fields ? this.form(this.fields) : this.jsonBox()}
      ${this.refusal ? errorLine(this.refusal.code, this.refusal.text, "arguments-problem") : nothing}
    </div>`;
  }

  /** What is filled in; `undefined` when it cannot be sent, which is then said. */
  read(): Record<string, unknown> | undefined {
    return this.mode === "form" && this.fields ? this.readForm(this.fields) : this.readJson();
  }

  /** Fills in the arguments of an earlier call. */
  fill(args: Record<string, unknown>): void {
    const draft = this.fields && draftFor(this.fields, args);
    this.mode = draft ? "form" : "json";
    this.draft = draft ?? this.draft;
    this.typed = JSON.stringify(args, null, 2);
    this.settle();
  }

  private modes(): TemplateResult {
    const button = (mode: Mode) =>
      html`<button type="button" data-testid="arguments-${mode}" aria-pressed=${this.mode === mode} @click=${() => this.change(mode)}>
        ${t(`arguments_${mode}`)}
      </button>`;
    return html`<div><div class="modes" role="group" aria-label=${t("argumentsAs")}>${button("form")}${button("json")}</div></div>`;
  }

  private form(fields: GroupField): TemplateResult {
    const set = (draft: unknown) => {
      this.draft = draft as GroupDraft;
      this.problems = [];
    };
    return groupBody(fields, this.draft, "", { problems: this.problems, set });
  }

  private jsonBox(): TemplateResult {
    return html`<label class="field">
      <span class="label">${t("arguments")}</span>
      <textarea class="code whole" spellcheck="false" rows="5" data-testid="tool-arguments" .value=${this.typed}
        @input=${(event: Event) => {
          this.typed = (event.target as HTMLTextAreaElement).value;
        }}></textarea>
    </label>`;
  }

  private readForm(fields: GroupField): Record<string, unknown> | undefined {
    const reading = readDraft(fields, this.draft);
    this.problems = reading.ok ? [] : reading.problems;
    this.refusal = reading.ok ? undefined : { code: "invalid_form", text: t("formHasProblems") };
    return reading.ok ? reading.args : undefined;
  }

  private readJson(): Record<string, unknown> | undefined {
    const parsed = parseArguments(this.json?.value ?? this.typed);
    this.refusal = parsed.ok
      ? undefined
      : { code: "invalid_json", text: t("argumentsNoObject", parsed.problem) };
    return parsed.ok ? parsed.args : undefined;
  }

  private change(mode: Mode): void {
    if (mode === this.mode || !this.fields) return;
    if (mode === "json") this.toJson(this.fields);
    else this.toForm(this.fields);
  }

  private toJson(fields: GroupField): void {
    this.typed = JSON.stringify(readDraft(fields, this.draft).args, null, 2);
    this.mode = "json";
    this.settle();
  }

  private toForm(fields: GroupField): void {
    const args = this.readJson();
    if (!args) return;
    const draft = draftFor(fields, args);
    if (!draft) {
      this.refusal = { code: "form_cannot_show", text: t("formCannotShow") };
      return;
    }
    this.draft = draft;
    this.mode = "form";
    this.settle();
  }

  private settle(): void {
    this.problems = [];
    this.refusal = undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-arguments-form": ArgumentsForm;
  }
}
