/** What a tool was given and what it gave back. All of it is foreign: shown as text. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { ToolCallRecord } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { textOf } from "../result-text.ts";
import { LumoElement } from "../ui/elements.ts";
import { shared } from "../ui/style.ts";
import { argumentsText, SHOWN_AT_ONCE } from "./format.ts";

@customElement("lumo-call-detail")
export class CallDetail extends LumoElement {
  static override styles = [
    shared,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-1); padding: var(--space-1) var(--space-3) var(--space-3); }
      pre { background: var(--sunken); border-radius: var(--radius-s); padding: var(--space-2); }
    `,
  ];

  @property({ attribute: false }) call!: ToolCallRecord;
  @state() private whole = false;

  override render(): TemplateResult {
    const { source, args, badArgs, result, resultCut } = this.call;
    return html`
      <p class="muted">${t("callFrom", source)}</p>
      <span class="label">${t("callArguments")}</span>
      <pre data-testid="call-arguments" tabindex="0">${badArgs ?? argumentsText(args)}</pre>
      ${result ? html`<span class="label">${t("callResult")}</span>${this.result(textOf(result))}` : nothing}
      ${resultCut ? html`<p class="muted">${t("resultCut")}</p>` : nothing}
    `;
  }

  private result(text: string): TemplateResult {
    const cut = !this.whole && text.length > SHOWN_AT_ONCE;
    return html`
      <pre data-testid="call-result" tabindex="0">${cut ? text.slice(0, SHOWN_AT_ONCE) : text}</pre>
      ${cut ? html`<div><button @click=${this.showWhole}>${t("showWhole", text.length)}</button></div>` : nothing}
    `;
  }

  private showWhole(): void {
    this.whole = true;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-call-detail": CallDetail;
  }
}
