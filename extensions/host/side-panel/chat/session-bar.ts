/** Which session is shown, and which agent answers. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { AgentProfiles, ChatState, SessionSummary } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { iconButton } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { profileName } from "./profile-name.ts";
import "../ui/two-step.ts";

/** What the bar asks for. */
export type BarRequest =
  | { ask: "new" }
  | { ask: "open"; id: string }
  | { ask: "rename"; id: string; title: string }
  | { ask: "delete"; id: string }
  | { ask: "agent"; id: string }
  | { ask: "profiles" };

export class BarEvent extends CustomEvent<BarRequest> {
  constructor(request: BarRequest) {
    super("lumo-bar", { detail: request, bubbles: true, composed: true });
  }
}

@customElement("lumo-session-bar")
export class SessionBar extends LumoElement {
  static override styles = [
    shared,
    css`
      :host { border-bottom: 1px solid var(--line); background: var(--surface); padding: var(--space-2) var(--space-3); }
      .line { display: flex; gap: var(--space-1); align-items: center; }
      .line + .line { margin-top: var(--space-1); }
      select, input { flex: 1 1 0; min-width: 0; text-overflow: ellipsis; }
      select { border-color: var(--line); }
      lumo-two-step { flex: none; }
    `,
  ];

  @property({ attribute: false }) chat!: ChatState;
  @property({ attribute: false }) profiles!: AgentProfiles;
  @state() private renaming = false;
  @query("input") private titleInput!: HTMLInputElement | null;

  override render(): TemplateResult {
    return html`<div class="line">${this.renaming ? this.renameForm() : this.sessionLine()}</div>
      <div class="line">${this.agentSelect()}
        ${iconButton("agents", t("profiles"), () => this.ask({ ask: "profiles" }))}
      </div>`;
  }

  private sessionLine(): TemplateResult {
    const { session, sessions } = this.chat;
    const stored = sessions.some(({ id }) => id === session.id);
    return html`
      <select aria-label=${t("session")} @change=${this.open}>
        ${stored ? nothing : html`<option value=${session.id} .selected=${live(true)}>${t("newSession")}</option>`}
        ${sessions.map((entry) => this.sessionOption(entry))}
      </select>
      ${iconButton("add", t("newSession"), () => this.ask({ ask: "new" }))}
      ${stored ? this.storedActions() : nothing}
    `;
  }

  private sessionOption({ id, title }: SessionSummary): TemplateResult {
    const shown = id === this.chat.session.id;
    return html`<option value=${id} .selected=${live(shown)}>${title || t("untitled")}</option>`;
  }

  private storedActions(): TemplateResult {
    const { id } = this.chat.session;
    return html`
      ${iconButton("edit", t("renameSession"), () => this.beginRenaming())}
      <lumo-two-step .name=${t("deleteSession")} .question=${t("reallyDelete")} .questionName=${t("reallyDeleteSession")}
        @confirmed=${() => this.ask({ ask: "delete", id })}></lumo-two-step>
    `;
  }

  private renameForm(): TemplateResult {
    return html`<form class="line grow" aria-label=${t("renameSession")} @submit=${this.rename} @keydown=${this.key}>
      <input type="text" name="title" aria-label=${t("sessionTitle")} maxlength="80" .value=${this.chat.session.title} />
      <button class="primary" type="submit">${t("save")}</button>
      ${iconButton("close", t("cancel"), () => this.endRenaming())}
    </form>`;
  }

  private agentSelect(): TemplateResult {
    const { agents, activeAgentId } = this.profiles;
    return html`<select aria-label=${t("agent")} @change=${this.chooseAgent}>
      ${agents.map(
        (profile) =>
          html`<option value=${profile.id} .selected=${live(profile.id === activeAgentId)}>${profileName(profile)}</option>`,
      )}
    </select>`;
  }

  private open(event: Event): void {
    this.ask({ ask: "open", id: (event.target as HTMLSelectElement).value });
  }

  private chooseAgent(event: Event): void {
    this.ask({ ask: "agent", id: (event.target as HTMLSelectElement).value });
  }

  private async beginRenaming(): Promise<void> {
    this.renaming = true;
    await this.updateComplete;
    this.titleInput?.select();
  }

  private endRenaming(): void {
    this.renaming = false;
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") this.endRenaming();
  }

  private rename(event: SubmitEvent): void {
    event.preventDefault();
    const title = this.titleInput?.value.trim() ?? "";
    if (title !== "") this.ask({ ask: "rename", id: this.chat.session.id, title });
    this.endRenaming();
  }

  private ask(request: BarRequest): void {
    this.dispatchEvent(new BarEvent(request));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-session-bar": SessionBar;
  }
}
