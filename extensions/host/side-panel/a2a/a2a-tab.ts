/** Remote agents: the list, and the form of one. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import {
  type A2aAgents,
  type A2aAgentView,
  type AgentProblem,
  problemOf,
} from "../../../agent-chat-core/index.ts";
import { agentServices } from "../chat/agent-services.ts";
import { problemText } from "../chat/problem-text.ts";
import { t } from "../i18n.ts";
import { PanelTab } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { emptyState, errorLine } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import "./agent-card.ts";
import "./agent-form.ts";

/** Which form is open: of a new agent, or of the one with this id. */
type Editing = { id: string | undefined };

@customElement("lumo-a2a-tab")
export default class A2aTab extends PanelTab {
  static override styles = shared;

  @state() private agents: A2aAgents | undefined;
  @state() private editing: Editing | undefined;
  @state() private problem: AgentProblem | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.agents) void this.attempt(() => this.open());
  }

  override render(): TemplateResult {
    const { agents } = this;
    return html`<div class="tab" @lumo-agent-form-closed=${this.closeForm}>
      ${this.problem ? errorLine(this.problem.code, problemText(this.problem)) : nothing}
      ${agents ? this.content(agents) : html`<p class="muted">${t("loading")}</p>`}
    </div>`;
  }

  private content(agents: A2aAgents): TemplateResult {
    const isNew = this.editing !== undefined && this.editing.id === undefined;
    const isEmpty = agents.list.length === 0;
    return html`
      <p class="muted">${t("a2aHint")}</p>
      ${isEmpty ? nothing : this.list(agents)}
      ${isNew ? html`<lumo-agent-form .agents=${agents}></lumo-agent-form>` : isEmpty ? this.empty() : this.addButton()}
    `;
  }

  private empty(): TemplateResult {
    const text = { title: t("a2aEmpty"), hint: t("a2aEmptyHint"), testId: "a2a-empty" };
    return emptyState("agents", text, this.primaryAdd());
  }

  private addButton(): TemplateResult {
    return html`<div>${this.primaryAdd()}</div>`;
  }

  private primaryAdd(): TemplateResult {
    return html`<button class="primary" @click=${() => this.edit(undefined)}>${icon("add")}${t("addAgent")}</button>`;
  }

  private list(agents: A2aAgents): TemplateResult {
    return html`<ul class="stack" aria-label=${t("view_a2a")}>
      ${repeat(
        agents.list,
        ({ agent }) => agent.id,
        (view) => html`<li>${this.entry(agents, view)}</li>`,
      )}
    </ul>`;
  }

  private entry(agents: A2aAgents, view: A2aAgentView): TemplateResult {
    const { id } = view.agent;
    if (this.editing?.id === id) {
      return html`<lumo-agent-form .agents=${agents} .edited=${view}></lumo-agent-form>`;
    }
    return html`<lumo-agent-card .agents=${agents} .view=${view}
      @lumo-edit=${() => this.edit(id)} @lumo-remove=${() => this.attempt(() => agents.remove(id))}
    ></lumo-agent-card>`;
  }

  private edit(id: string | undefined): void {
    this.editing = { id };
  }

  private closeForm(): void {
    this.editing = undefined;
  }

  private async open(): Promise<void> {
    const { a2a } = await agentServices(this.model);
    a2a.subscribe(() => this.requestUpdate());
    this.agents = a2a;
  }

  private async attempt(action: () => Promise<void>): Promise<void> {
    this.problem = undefined;
    try {
      await action();
    } catch (cause) {
      this.problem = problemOf(cause);
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-a2a-tab": A2aTab;
  }
}
