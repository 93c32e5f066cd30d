/** Where the user writes: Enter sends, Shift+Enter breaks the line. */
import { css, html, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { shared } from "../ui/style.ts";

/** `detail`: what was written. */
export class SendEvent extends CustomEvent<string> {
  constructor(text: string) {
    super("lumo-send", { detail: text, bubbles: true, composed: true });
  }
}

@customElement("lumo-composer")
export class Composer extends LumoElement {
  static override styles = [
    shared,
    css`
      form { display: flex; gap: var(--space-2); align-items: end; }
      textarea { min-height: 36px; max-height: 30vh; resize: none; field-sizing: content; }
      button { min-height: 36px; flex: none; }
    `,
  ];

  /** A turn is under way: it can be stopped, and nothing sent. */
  @property({ attribute: false }) running = false;
  @property({ attribute: false }) stopping = false;
  @state() private empty = true;
  @query("textarea") private input!: HTMLTextAreaElement;

  override render(): TemplateResult {
    return html`<form @submit=${this.submit}>
      <textarea rows="1" aria-label=${t("message")} placeholder=${t("messageHint")} @input=${this.typed} @keydown=${this.key}></textarea>
      ${this.running ? this.stopButton() : this.sendButton()}
    </form>`;
  }

  override focus(): void {
    this.input.focus();
  }

  private sendButton(): TemplateResult {
    return html`<button class="primary" type="submit" ?disabled=${this.empty}>${icon("send")}${t("send")}</button>`;
  }

  private stopButton(): TemplateResult {
    const stop = () => this.dispatchEvent(new CustomEvent("lumo-stop", { bubbles: true, composed: true }));
    return html`<button type="button" ?disabled=${this.stopping} @click=${stop}>${icon("stop")}${t("stop")}</button>`;
  }

  private typed(): void {
    this.empty = this.input.value.trim() === "";
  }

  /** An Enter that ends the input of a Chinese word is no Enter. */
  private key(event: KeyboardEvent): void {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.submit(event);
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text === "" || this.running) return;
    this.input.value = "";
    this.typed();
    this.dispatchEvent(new SendEvent(text));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-composer": Composer;
  }
}
