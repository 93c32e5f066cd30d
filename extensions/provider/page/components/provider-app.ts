/** The page: its sections, and the one line that says how the last request ended. */
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { t } from "../i18n.ts";
import { type AskEvent, ask, type PageState, readState, watchState } from "../model.ts";
import "./access-section.ts";
import "./audit-section.ts";
import "./reviews-section.ts";
import "./scripts-section.ts";
import "./senders-section.ts";

const SECTIONS = ["access", "senders", "reviews", "scripts", "audit"] as const;

@customElement("provider-app")
export class ProviderApp extends LitElement {
  @state() private view: PageState | undefined;
  @state() private message = "";
  private stop: (() => void) | undefined;

  /** In the document itself, so that the links to the sections work. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = watchState(() => void this.load());
    this.addEventListener("ask", (event) => void this.onAsk(event as AskEvent));
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  private async load(): Promise<void> {
    this.view = await readState();
  }

  private async onAsk(event: AskEvent): Promise<void> {
    const answer = await ask(event.detail);
    this.message = answer.ok ? "" : answer.message;
    await this.load();
  }

  override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (!view) return nothing;
    return html`
      <header>
        <h1>${t("extensionName")}</h1>
        <nav aria-label=${t("sections")}>
          ${SECTIONS.map((name) => html`<a href="#${name}">${t(name)}</a>`)}
        </nav>
        <p class="message" role="status" data-testid="message">${this.message}</p>
      </header>
      <main>
        <access-section id="access" .view=${view}></access-section>
        <senders-section id="senders" .view=${view}></senders-section>
        <reviews-section id="reviews" .view=${view}></reviews-section>
        <scripts-section id="scripts" .view=${view}></scripts-section>
        <audit-section id="audit" .view=${view}></audit-section>
      </main>
    `;
  }
}
