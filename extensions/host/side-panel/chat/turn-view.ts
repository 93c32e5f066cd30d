/** One turn: what the user wrote, and everything that came of it. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { AssistantMessage, ToolCallRecord, Turn, TurnStatus } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { errorLine, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { callRow, callStyle } from "./call-row.ts";
import { problemText } from "./problem-text.ts";
import { profileName } from "./profile-name.ts";
import "./backoff-note.ts";
import "./markdown-view.ts";

/** Calls of one message that are shown; earlier ones on request. */
const CALLS_SHOWN = 60;

const STATES: Record<TurnStatus, string> = {
  running: "streaming",
  done: "done",
  stopped: "stopped",
  interrupted: "interrupted",
  error: "error",
};

/** What a person may want of the last turn: to send it again, or to go on after an error. */
export class AgainEvent extends CustomEvent<"resend" | "retry"> {
  constructor(how: "resend" | "retry") {
    super("lumo-again", { detail: how, bubbles: true, composed: true });
  }
}

@customElement("lumo-turn")
export class TurnView extends LumoElement {
  static override styles = [
    shared,
    callStyle,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
      .user {
        justify-self: end; max-width: 88%; background: var(--accent-soft); padding: var(--space-2) var(--space-3);
        border-radius: var(--radius-l) var(--radius-l) 4px var(--radius-l); white-space: pre-wrap; overflow-wrap: anywhere;
      }
      .answer, .calls { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); }
      .calls { gap: var(--space-1); }
      .who { font-size: var(--text-s); color: var(--muted); }
      .who span { font-weight: 400; }
      .dots { height: 1.5em; color: var(--muted); letter-spacing: 2px; animation: pulse 1.2s ease-in-out infinite; }
      @keyframes pulse { 50% { opacity: 0.35; } }
    `,
  ];

  @property({ attribute: false }) turn!: Turn;
  /** The session's last turn: it can be sent again. */
  @property({ attribute: false }) last = false;
  @state() private allCalls = false;
  /** Ids of the calls that are folded out. */
  @state() private openCalls: ReadonlySet<string> = new Set();

  override render(): TemplateResult {
    const { text, agent, model, status, messages } = this.turn;
    return html`
      <article class="user" data-testid="message" data-role="user"><h2 class="sr">${t("you")}</h2>${text}</article>
      <article class="answer" data-testid="message" data-role="assistant" data-state=${STATES[status]}>
        <h2 class="who">${profileName(agent)} <span>${model}</span></h2>
        ${messages.map((message) => this.message(message))} ${this.leftOut()}
        ${this.waiting()} ${this.ending()} ${this.actions()}
      </article>
    `;
  }

  private message(message: AssistantMessage): TemplateResult {
    return html`
      ${message.text ? html`<lumo-markdown .text=${message.text}></lumo-markdown>` : nothing}
      ${message.calls.length > 0 ? this.calls(message) : nothing}
      ${message.cut ? html`<p class="notice warn">${icon("alert")}<span>${t("answerCut")}</span></p>` : nothing}
    `;
  }

  private calls({ calls }: AssistantMessage): TemplateResult {
    const hidden = this.allCalls ? 0 : Math.max(0, calls.length - CALLS_SHOWN);
    return html`
      ${hidden > 0 ? html`<div><button @click=${this.showCalls}>${t("earlierCalls", hidden)}</button></div>` : nothing}
      <ul class="calls" aria-label=${t("toolCalls")}>
        ${repeat(
          calls.slice(hidden),
          (call) => call.id,
          (call) => html`<li>${this.call(call)}</li>`,
        )}
      </ul>
    `;
  }

  private call(call: ToolCallRecord): TemplateResult {
    const { id } = call;
    return callRow(call, this.openCalls.has(id), (open) => {
      const others = [...this.openCalls].filter((other) => other !== id);
      this.openCalls = new Set(open ? [...others, id] : others);
    });
  }

  private leftOut(): Part {
    const { toolsLeftOut = 0 } = this.turn;
    if (toolsLeftOut === 0) return nothing;
    return html`<p class="notice warn" data-testid="tools-left-out">
      ${icon("alert")}<span>${t("toolsLeftOut", toolsLeftOut)}</span>
    </p>`;
  }

  private waiting(): Part {
    const { status, backoff, messages } = this.turn;
    if (status !== "running") return nothing;
    if (backoff) return html`<lumo-backoff-note .backoff=${backoff}></lumo-backoff-note>`;
    const newest = messages.at(-1);
    const writes = newest?.status === "streaming" && newest.text !== "";
    return writes ? nothing : html`<div class="dots" aria-hidden="true">•••</div>`;
  }

  private ending(): Part {
    const { status, error } = this.turn;
    if (error) return errorLine(error.code, problemText(error), "turn-error");
    if (status !== "stopped" && status !== "interrupted") return nothing;
    return html`<p class="notice warn" data-testid="turn-note">${icon("alert")}<span>${t(`turn_${status}`)}</span></p>`;
  }

  private actions(): Part {
    const { status } = this.turn;
    if (!this.last || status === "running") return nothing;
    return html`<div class="row">
      ${status === "error" ? this.action("retry") : nothing} ${this.action("resend")}
    </div>`;
  }

  private action(how: "resend" | "retry"): TemplateResult {
    return html`<button @click=${() => this.dispatchEvent(new AgainEvent(how))}>${icon("refresh")}${t(how)}</button>`;
  }

  private showCalls(): void {
    this.allCalls = true;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-turn": TurnView;
  }
}
