/** A button for what cannot be undone: the first click asks in place, the second does it. */
import { html, LitElement, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { LumoElement } from "./elements.ts";
import { icon } from "./icons.ts";
import { shared } from "./style.ts";

/**
 * `<lumo-two-step>` fires `confirmed` at the second click. Escape, and focus that goes elsewhere, put it back.
 */
@customElement("lumo-two-step")
export class TwoStep extends LumoElement {
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  static override styles = shared;

  /** The button's text, and its text once it asks. */
  @property() label = "";
  @property() question = "";
  /** What screen readers say instead, where several such buttons stand in a list. */
  @property() name = "";
  @property({ attribute: "question-name" }) questionName = "";
  @property({ type: Boolean }) disabled = false;
  @state() private asking = false;
  @query("button") private button!: HTMLButtonElement;

  override render(): TemplateResult {
    const name = this.asking ? this.questionName || this.question : this.name || this.label;
    return html`<button
      type="button" class=${this.asking ? "danger" : "plain"} aria-label=${name} data-asking=${this.asking}
      ?disabled=${this.disabled} @click=${this.press} @blur=${this.putBack} @keydown=${this.key}
    >${icon("trash")}${this.asking ? this.question : this.label}</button>`;
  }

  override focus(): void {
    this.button.focus();
  }

  private press(): void {
    if (this.asking) this.dispatchEvent(new CustomEvent("confirmed", { bubbles: true, composed: true }));
    this.asking = !this.asking;
  }

  private readonly putBack = (): void => {
    this.asking = false;
  };

  private key(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.asking) return;
    event.stopPropagation();
    this.putBack();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-two-step": TwoStep;
  }
}
