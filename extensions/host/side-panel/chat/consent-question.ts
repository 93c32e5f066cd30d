/** Asks whether a consequential tool may run, with what it would be given. */
import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ConsentAnswer, ToolCallRecord } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { shared } from "../ui/style.ts";
import { argumentsText } from "./format.ts";

/** The user's answer. */
export class ConsentEvent extends CustomEvent<{ callId: string; answer: ConsentAnswer }> {
  constructor(callId: string, answer: ConsentAnswer) {
    super("lumo-consent", { detail: { callId, answer }, bubbles: true, composed: true });
  }
}

const ANSWERS: { answer: ConsentAnswer; key: string; look: string }[] = [
  { answer: "once", key: "allowOnce", look: "primary" },
  { answer: "session", key: "allowForSession", look: "" },
  { answer: "no", key: "deny", look: "" },
];

@customElement("lumo-consent")
export class ConsentQuestion extends LumoElement {
  static override styles = [
    shared,
    css`
      .ask {
        display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); margin-top: var(--space-1);
        border: 1px solid var(--warn); border-radius: var(--radius-m); background: var(--surface); padding: var(--space-3);
      }
      pre { background: var(--sunken); border-radius: var(--radius-s); padding: var(--space-2); }
    `,
  ];

  @property({ attribute: false }) call!: ToolCallRecord;

  override render(): TemplateResult {
    const { id, name, source, args } = this.call;
    return html`<div class="ask" role="group" aria-label=${t("allowTool", name)} data-testid="consent">
      <strong>${t("allowTool", name)}</strong>
      <p class="muted">${t("consentWhy", source)}</p>
      <pre tabindex="0">${argumentsText(args)}</pre>
      <div class="row">
        ${ANSWERS.map(
          ({ answer, key, look }) =>
            html`<button class=${look} @click=${() => this.dispatchEvent(new ConsentEvent(id, answer))}>${t(key)}</button>`,
        )}
      </div>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-consent": ConsentQuestion;
  }
}
