/** One remote agent: what its card says, how it stands, and a test of the connection. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { A2aAgents, A2aAgentView, A2aCard, A2aTest } from "../../../agent-chat-core/index.ts";
import { problemText } from "../chat/problem-text.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { badge, errorLine, type Look, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { testLine } from "./test-line.ts";
import "../ui/two-step.ts";

const LOOKS: Record<A2aAgentView["state"], Look> = { loading: "quiet", ready: "good", error: "bad" };
/** Skills that are shown. */
const SKILLS = 12;

/** Fires `lumo-edit`, and `lumo-remove` at the second click. */
@customElement("lumo-agent-card")
export class AgentCard extends LumoElement {
  static override styles = [
    shared,
    css`
      lumo-two-step { flex: none; }
      .skills { display: flex; flex-wrap: wrap; gap: var(--space-1); }
      .skills li { min-width: 0; max-width: 100%; }
    `,
  ];

  @property({ attribute: false }) agents!: A2aAgents;
  @property({ attribute: false }) view!: A2aAgentView;
  @state() private outcome: A2aTest | undefined;
  @state() private abort: AbortController | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.abort?.abort();
  }

  override render(): TemplateResult {
    const { agent, state, card, problem } = this.view;
    return html`<article class="card stack" data-testid="a2a-agent" data-id=${agent.id} data-state=${state}>
      <div class="row apart">
        <h2 class="grow">${card?.name || agent.id}</h2>
        ${badge(t(`a2a_${state}`), LOOKS[state])}
      </div>
      ${this.facts()} ${card ? this.cardText(card) : nothing}
      ${problem && !this.outcome ? errorLine(problem.code, problemText(problem)) : nothing}
      ${this.outcome ? testLine(this.outcome) : nothing} ${this.actions(agent.id)}
    </article>`;
  }

  private facts(): TemplateResult {
    const { agent, card, hasToken, running } = this.view;
    return html`<dl class="facts">
      <dt>${t("agentId")}</dt><dd><code>${agent.id}</code></dd>
      <dt>${t("cardUrl")}</dt><dd>${agent.cardUrl}</dd>
      ${fact(t("a2aEndpoint"), agent.endpoint ?? card?.endpoint)}
      ${fact(t("a2aProtocol"), card?.protocol)}
      <dt>${t("token")}</dt><dd data-testid="a2a-token">${hasToken ? t("tokenStored") : t("tokenNone")}</dd>
      ${fact(t("a2aRunning"), running > 0 ? String(running) : undefined)}
    </dl>`;
  }

  private cardText({ description, skills }: A2aCard): TemplateResult {
    return html`
      ${description ? html`<p>${description}</p>` : nothing}
      <ul class="skills" aria-label=${t("a2aSkills")}>
        ${skills.slice(0, SKILLS).map(({ name, description: about }) => html`<li title=${about}>${badge(name, "accent")}</li>`)}
      </ul>
    `;
  }

  private actions(id: string): TemplateResult {
    return html`<div class="row">
      ${this.abort ? this.stopButton() : this.testButton(id)}
      <button aria-label=${t("editAgent", id)} @click=${() => this.dispatchEvent(new CustomEvent("lumo-edit"))}>${t("edit")}</button>
      <lumo-two-step .label=${t("delete")} .name=${t("deleteAgent", id)} .question=${t("reallyDelete")}
        .questionName=${t("reallyDeleteAgent", id)}
        @confirmed=${() => this.dispatchEvent(new CustomEvent("lumo-remove"))}></lumo-two-step>
    </div>`;
  }

  private testButton(id: string): TemplateResult {
    return html`<button aria-label=${t("testAgent", id)} @click=${this.test}>${t("test")}</button>`;
  }

  private stopButton(): TemplateResult {
    return html`<button @click=${() => this.abort?.abort()}>${t("stopTest")}</button>
      <span class="muted" role="status">${t("testing")}</span>`;
  }

  /** Tests as stored, and takes over what the card says now. */
  private async test(): Promise<void> {
    const { agent } = this.view;
    const abort = new AbortController();
    this.abort = abort;
    this.outcome = undefined;
    const outcome = await this.agents.test({ ...agent }, agent.id, abort.signal);
    this.abort = undefined;
    if (abort.signal.aborted) return;
    this.outcome = outcome;
    await this.agents.refresh(agent.id);
  }
}

function fact(name: string, value: string | undefined): Part {
  return value ? html`<dt>${name}</dt><dd>${value}</dd>` : nothing;
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-agent-card": AgentCard;
  }
}
