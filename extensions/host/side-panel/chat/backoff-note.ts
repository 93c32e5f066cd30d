/** Counts down to the next try of a model request. */
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Backoff } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { shared } from "../ui/style.ts";

@customElement("lumo-backoff-note")
export class BackoffNote extends LumoElement {
  static override styles = shared;

  @property({ attribute: false }) backoff!: Backoff;
  private timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.requestUpdate(), 1_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override render(): TemplateResult {
    const { code, tries, of, nextTryAt } = this.backoff;
    const seconds = Math.max(0, Math.ceil((nextTryAt - Date.now()) / 1_000));
    // The count is not announced: read out each second it would drown everything else.
    return html`<p class="notice warn" role="status" data-testid="backoff" data-code=${code}>
      ${icon("history")}
      <span><code>${code}</code> <span aria-live="off">${t("tryingAgain", seconds, tries + 1, of)}</span></span>
    </p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-backoff-note": BackoffNote;
  }
}
