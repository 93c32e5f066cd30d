/** One tool: what it is, its arguments, a call with its result, and the calls before. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { ToolResult } from "../../../contract/errors.ts";
import { languageTag, t } from "../i18n.ts";
import type { PanelCall, PanelModel } from "../panel-model.ts";
import type { ListedTool } from "../tool-catalogue.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { badge, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import "./arguments-form.ts";
import type { ArgumentsForm } from "./arguments-form.ts";
import type { CallHistory, PastCall } from "./call-history.ts";
import { durationText, resultView } from "./result-view.ts";

/** Annotations that are worth a badge, and how serious they are. */
const HINTS = [
  ["readOnlyHint", "good"],
  ["destructiveHint", "bad"],
  ["idempotentHint", "quiet"],
  ["openWorldHint", "warn"],
] as const;
const SHORT_DESCRIPTION = 240;

@customElement("lumo-tool-card")
export class ToolCard extends LumoElement {
  static override styles = [
    shared,
    css`
      .card { padding: 0; }
      summary { padding: var(--space-2) var(--space-3); font-family: var(--mono); font-size: var(--text-s); line-height: 20px; }
      summary .prefix { color: var(--muted); }
      summary .own { font-weight: 600; }
      .body { padding: 0 var(--space-3) var(--space-3); }
      details details summary { padding: 4px 0; font-family: var(--sans); }
      .past { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-1) var(--space-2); align-items: center; }
      .description { white-space: pre-line; overflow-wrap: anywhere; }
    `,
  ];

  @property({ attribute: false }) model!: PanelModel;
  @property({ attribute: false }) entry!: ListedTool;
  @property({ attribute: false }) history!: CallHistory;
  @state() private open = false;
  @state() private running: PanelCall | undefined;
  @state() private last: PastCall | undefined;
  @state() private wholeDescription = false;
  @query("lumo-arguments-form") private form!: ArgumentsForm;

  override render(): TemplateResult {
    const { publicName } = this.entry;
    return html`<details class="card" data-testid="tool" data-tool=${publicName}
      @toggle=${(event: ToggleEvent) => {
        if (event.target === event.currentTarget) this.open = event.newState === "open";
      }}>
      <summary class="arrow">${nameView(publicName)}</summary>
      ${this.open ? this.body() : nothing}
    </details>`;
  }

  private body(): TemplateResult {
    return html`<div class="body stack">
      ${this.about()}
      <lumo-arguments-form .tool=${this.entry.tool}></lumo-arguments-form>
      ${this.buttons()} ${this.outcome()} ${this.pastCalls()} ${this.schemas()}
    </div>`;
  }

  private about(): TemplateResult {
    const { title, annotations = {} } = this.entry.tool;
    const hints = HINTS.filter(([name]) => annotations[name] === true);
    return html`${title ? html`<strong>${title}</strong>` : nothing}
      ${hints.length > 0 ? html`<div class="row">${hints.map(([name, look]) => badge(t(name), look))}</div>` : nothing}
      ${this.description()}`;
  }

  private description(): TemplateResult {
    const text = this.entry.tool.description ?? "";
    if (text === "") return html`<p class="muted">${t("noDescription")}</p>`;
    const long = text.length > SHORT_DESCRIPTION;
    const shown = long && !this.wholeDescription ? `${text.slice(0, SHORT_DESCRIPTION)}…` : text;
    return html`<p class="muted description" data-testid="tool-description">${shown}</p>
      ${
        long
          ? html`<div><button type="button" class="plain" aria-expanded=${this.wholeDescription} @click=${this.toggleDescription}>
        ${t(this.wholeDescription ? "showLess" : "showAll")}</button></div>`
          : nothing
      }`;
  }

  private readonly toggleDescription = (): void => {
    this.wholeDescription = !this.wholeDescription;
  };

  private buttons(): TemplateResult {
    return html`<div class="row">
      <button class="primary" type="button" data-testid="tool-call" ?disabled=${this.running !== undefined} @click=${this.call}>
        ${icon("play", 14)}${t("call")}
      </button>
      ${
        this.running
          ? html`<button type="button" data-testid="tool-cancel" @click=${() => this.running?.cancel()}>${icon("stop", 14)}${t("stop")}</button>`
          : nothing
      }
    </div>`;
  }

  private outcome(): TemplateResult {
    return html`<div aria-live="polite">
      ${this.running ? html`<p class="muted" data-testid="tool-running">${t("running")}</p>` : nothing}
      ${this.last ? resultView(this.last) : nothing}
    </div>`;
  }

  private pastCalls(): Part {
    const calls = this.history.of(this.entry.publicName);
    if (calls.length === 0) return nothing;
    return html`<details data-testid="tool-history">
      <summary class="muted arrow">${t("history", calls.length)}</summary>
      <ul class="stack">${calls.map((call) => this.pastCall(call))}</ul>
    </details>`;
  }

  private pastCall(call: PastCall): TemplateResult {
    const time = new Date(call.startedAt).toLocaleTimeString(languageTag());
    const failed = call.result.isError === true;
    return html`<li class="past" data-testid="past-call">
      <div class="stack tight">
        <div class="row">${badge(t(failed ? "failed" : "succeeded"), failed ? "bad" : "good")}
          <span class="muted">${time} · ${durationText(call.milliseconds)}</span></div>
        <code class="cut">${JSON.stringify(call.args)}</code>
      </div>
      <button type="button" aria-label=${`${t("useAgain")}: ${time}`} @click=${() => this.useAgain(call)}>${t("useAgain")}</button>
    </li>`;
  }

  private schemas(): TemplateResult {
    const { inputSchema, outputSchema } = this.entry.tool;
    return html`<details data-testid="tool-schema">
      <summary class="muted arrow">${t("schema")}</summary>
      <div class="stack">
        ${schemaView(t("inputSchema"), inputSchema)} ${outputSchema ? schemaView(t("outputSchema"), outputSchema) : nothing}
      </div>
    </details>`;
  }

  private useAgain(call: PastCall): void {
    this.form.fill(call.args);
    this.last = call;
  }

  private async call(): Promise<void> {
    const args = this.form.read();
    if (!args) return;
    this.last = undefined;
    const startedAt = Date.now();
    const begun = performance.now();
    this.running = this.model.call(this.entry.publicName, args);
    const result: ToolResult = await this.running.result;
    this.running = undefined;
    this.last = { startedAt, milliseconds: performance.now() - begun, args, result };
    this.history.add(this.entry.publicName, this.last);
  }
}

/** What comes before the tool's own name tells the source; it is the same for all of a list. */
function nameView(publicName: string): TemplateResult {
  const end = publicName.match(/^(tab\d+__|ext__[^_]+(?:_[^_]+)*__|chrome_extension_)/)?.[0].length ?? 0;
  return html`<span><span class="prefix">${publicName.slice(0, end)}</span><span class="own">${publicName.slice(end)}</span></span>`;
}

function schemaView(title: string, schema: Record<string, unknown>): TemplateResult {
  return html`<div class="stack tight"><span class="label">${title}</span>
    <pre class="code" tabindex="0" role="group" aria-label=${title}>${JSON.stringify(schema, null, 2)}</pre></div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-tool-card": ToolCard;
  }
}
