/** The chat with the agent: sessions, the conversation, what the user writes. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { type AgentProblem, type ChatState, llmProblems, problemOf } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { ShowTab } from "../shell/tab-registry.ts";
import { PanelTab } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { emptyState, errorLine, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { type AgentServices, agentServices } from "./agent-services.ts";
import { announcement } from "./announcer.ts";
import type { SendEvent } from "./composer.ts";
import type { ConsentEvent } from "./consent-question.ts";
import type { Conversation } from "./conversation.ts";
import { FrameBatch } from "./frame-batch.ts";
import { problemText } from "./problem-text.ts";
import type { BarEvent, BarRequest } from "./session-bar.ts";
import type { AgainEvent } from "./turn-view.ts";
import "./composer.ts";
import "./conversation.ts";
import "./profiles-view.ts";
import "./session-bar.ts";
import "./tool-summary.ts";

@customElement("lumo-chat-tab")
export default class ChatTab extends PanelTab {
  static override styles = [
    shared,
    css`
      :host { height: 100%; }
      .chat { height: 100%; display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); }
      .middle { min-height: 0; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
      .middle > .tab { overflow-y: auto; align-content: center; }
      .foot { border-top: 1px solid var(--line); background: var(--surface); padding: var(--space-2) var(--space-3); display: grid; gap: var(--space-2); grid-template-columns: minmax(0, 1fr); }
    `,
  ];

  @state() private services: AgentServices | undefined;
  @state() private chat: ChatState | undefined;
  /** What went wrong outside a turn. */
  @state() private problem: AgentProblem | undefined;
  @state() private stopping = false;
  @state() private showsProfiles = false;
  @query("lumo-conversation") private conversation!: Conversation | null;
  private readonly batch = new FrameBatch(() => this.takeState());

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.services) void this.attempt(() => this.openServices());
  }

  override render(): TemplateResult {
    const { services, chat } = this;
    if (!services || !chat) return this.opening();
    // Hidden, not gone: what is being written stays.
    return html`${this.showsProfiles ? this.profilesView(services) : nothing}
    <div class="chat" ?hidden=${this.showsProfiles} @lumo-again=${this.again} @lumo-consent=${this.consent}>
      <lumo-session-bar .chat=${chat} .profiles=${services.profiles.state} @lumo-bar=${this.barAsked}></lumo-session-bar>
      <div class="middle">${this.middle(services, chat)}</div>
      ${this.foot(services, chat)}
    </div>`;
  }

  private opening(): TemplateResult {
    return html`<div class="tab">
      ${this.problem ? this.problemLine() : html`<p class="muted">${t("loading")}</p>`}
    </div>`;
  }

  private profilesView({ profiles }: AgentServices): TemplateResult {
    const close = () => {
      this.showsProfiles = false;
    };
    return html`<lumo-profiles-view .profiles=${profiles} @lumo-close=${close}></lumo-profiles-view>`;
  }

  private middle({ llm }: AgentServices, { session }: ChatState): TemplateResult {
    if (session.turns.length > 0) return html`<lumo-conversation .session=${session}></lumo-conversation>`;
    const ready = llmProblems(llm.config).length === 0;
    return html`<div class="tab">${ready ? this.welcome() : this.unconfigured()}</div>`;
  }

  private unconfigured(): TemplateResult {
    const text = { title: t("chatNoModel"), hint: t("chatNoModelHint"), testId: "chat-unconfigured" };
    return emptyState("settings", text, this.goButton("settings", t("openSettings")));
  }

  private welcome(): TemplateResult {
    const text = { title: t("chatWelcome"), hint: t("chatWelcomeHint"), testId: "chat-empty" };
    const noTabs = this.model.tabs.length === 0;
    return emptyState("chat", text, noTabs ? this.goButton("tabs", t("chooseTabs")) : nothing);
  }

  private goButton(tab: "settings" | "tabs", text: string): TemplateResult {
    return html`<button class="primary" @click=${() => this.dispatchEvent(new ShowTab(tab))}>${text}</button>`;
  }

  private foot(services: AgentServices, chat: ChatState): TemplateResult {
    const elsewhere = chat.running && chat.running.sessionId !== chat.session.id;
    return html`<div class="foot">
      ${this.problemLine()}
      ${elsewhere ? html`<p class="notice">${icon("history")}<span>${t("runsElsewhere")}</span></p>` : nothing}
      <lumo-composer .running=${chat.running !== undefined} .stopping=${this.stopping}
        @lumo-send=${this.send} @lumo-stop=${this.stop}></lumo-composer>
      <lumo-tool-summary .catalogue=${services.catalogue()}></lumo-tool-summary>
      <p class="sr" role="status" data-testid="chat-status">${announcement(chat.session)}</p>
    </div>`;
  }

  private problemLine(): Part {
    const problem = this.problem ?? this.chat?.problem;
    return problem ? errorLine(problem.code, problemText(problem), "chat-problem") : nothing;
  }

  private async openServices(): Promise<void> {
    const services = await agentServices(this.model);
    this.services = services;
    this.chat = services.chat.state;
    const redraw = () => this.requestUpdate();
    for (const part of [services.profiles, services.llm, services.a2a]) part.subscribe(redraw);
    services.chat.subscribe(() => this.batch.request());
  }

  private takeState(): Promise<unknown> {
    this.chat = this.services?.chat.state;
    return this.updateComplete;
  }

  /** What an action rejects with is shown, until the next one. */
  private async attempt(action: () => Promise<unknown>): Promise<void> {
    this.problem = undefined;
    try {
      await action();
    } catch (cause) {
      this.problem = problemOf(cause);
    }
  }

  private send({ detail: text }: SendEvent): void {
    this.conversation?.showLatest();
    void this.attempt(async () => this.services?.chat.send(text));
  }

  private async stop(): Promise<void> {
    this.stopping = true;
    await this.attempt(async () => this.services?.chat.stop());
    this.stopping = false;
  }

  private again({ detail: how }: AgainEvent): void {
    void this.attempt(async () => this.services?.chat[how]());
  }

  private consent({ detail }: ConsentEvent): void {
    this.model.log.add("tool", "consent", detail);
    this.services?.chat.answerConsent(detail.callId, detail.answer);
  }

  private barAsked({ detail }: BarEvent): void {
    const { services } = this;
    if (services) void this.attempt(() => this.serve(services, detail));
  }

  private async serve({ chat, profiles }: AgentServices, request: BarRequest): Promise<void> {
    if (request.ask === "new") return chat.newSession();
    if (request.ask === "open") return chat.openSession(request.id);
    if (request.ask === "rename") return chat.renameSession(request.id, request.title);
    if (request.ask === "delete") return chat.deleteSession(request.id);
    if (request.ask === "agent") return profiles.activate(request.id);
    this.showsProfiles = true;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-chat-tab": ChatTab;
  }
}
