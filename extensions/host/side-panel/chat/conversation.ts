/** The scrolling list of turns: the latest are drawn first, earlier ones when the thread has nothing better to do. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import type { Session, Turn } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import type { Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { earlierStart } from "./turn-window.ts";
import "./turn-view.ts";

/** So near to the end the view follows what comes, in CSS pixels. */
const FOLLOW_WITHIN = 40;

@customElement("lumo-conversation")
export class Conversation extends LumoElement {
  static override styles = [
    shared,
    css`
      :host { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; position: relative; }
      .scroller { overflow-y: auto; overscroll-behavior: contain; }
      .scroller:focus-visible { outline-offset: -2px; }
      .turns { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-5); padding: var(--space-4); }
      /* What is out of sight is neither laid out nor painted. */
      lumo-turn { content-visibility: auto; contain-intrinsic-size: auto 200px; }
      .latest { position: absolute; bottom: var(--space-2); left: 50%; transform: translateX(-50%); box-shadow: var(--shadow); }
    `,
  ];

  @property({ attribute: false }) session!: Session;
  @state() private follows = true;
  @state() private from = 0;
  @query(".scroller") private scroller!: HTMLElement;
  @query(".turns") private turns!: HTMLElement;
  private shownSession = "";
  /** Ends the filling that is under way. */
  private filling: AbortController | undefined;
  private readonly resized = new ResizeObserver(() => this.follow());

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.hasUpdated) return;
    this.observe();
    void this.fill();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
    this.stopFilling();
  }

  override render(): TemplateResult {
    const { id, turns } = this.session;
    const newest = turns.at(-1)?.id;
    return html`
      <div class="scroller" role="log" aria-label=${t("conversation")} aria-live="off" tabindex="0"
        @scroll=${this.scrolled} @wheel=${this.wheeled}
      >
        ${keyed(
          id,
          html`<div class="turns">${repeat(
            turns.slice(this.from),
            (turn) => turn.id,
            (turn) => html`<lumo-turn .turn=${turn} .last=${turn.id === newest}></lumo-turn>`,
          )}</div>`,
        )}
      </div>
      ${this.latestButton(turns)}
    `;
  }

  /** Shows the end, and what comes from now on. */
  showLatest(): void {
    this.follows = true;
    this.follow();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("session") || this.session.id === this.shownSession) return;
    this.shownSession = this.session.id;
    this.follows = true;
    this.from = earlierStart(this.session.turns, this.session.turns.length);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("session")) this.observe();
    if (this.from > 0) void this.fill();
  }

  /** The element of the turns is another one for each session. */
  private observe(): void {
    this.resized.disconnect();
    this.resized.observe(this.turns);
    this.resized.observe(this.scroller);
  }

  private latestButton(turns: readonly Turn[]): Part {
    if (this.follows || turns.length === 0) return nothing;
    return html`<button class="latest" @click=${this.showLatest}>${icon("download")}${t("showLatest")}</button>`;
  }

  /** A task of its own for each batch, behind input and frames. Idle callbacks would starve in a panel without frames. */
  private async fill(): Promise<void> {
    if (this.filling) return;
    const filling = new AbortController();
    this.filling = filling;
    const { signal } = filling;
    while (this.from > 0 && !signal.aborted) {
      await scheduler.postTask(() => {}, { priority: "background" });
      if (signal.aborted) return;
      this.from = earlierStart(this.session.turns, this.from);
      await this.updateComplete;
    }
    this.filling = undefined;
  }

  private stopFilling(): void {
    this.filling?.abort();
    this.filling = undefined;
  }

  private follow(): void {
    if (this.follows) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  private scrolled(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    this.follows = scrollHeight - scrollTop - clientHeight < FOLLOW_WITHIN;
  }

  /** Before the next streamed word pulls the view down again. */
  private wheeled(event: WheelEvent): void {
    if (event.deltaY < 0 && this.scroller.scrollTop > 0) this.follows = false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-conversation": Conversation;
  }
}
