/** One line about what the agent may call, which folds out to the list. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  type AgentTool,
  badgeOf,
  type Collision,
  type ToolCatalogue,
} from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { LumoElement } from "../ui/elements.ts";
import { badge, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";

/** Tools that are listed: the Tools tab has them all. */
const LISTED = 100;

@customElement("lumo-tool-summary")
export class ToolSummary extends LumoElement {
  static override styles = [
    shared,
    css`
      summary { font-size: var(--text-s); color: var(--muted); }
      ul { max-height: 30vh; overflow-y: auto; display: grid; gap: 2px; padding-block: var(--space-1); }
      li { display: flex; gap: var(--space-2); align-items: center; font-size: var(--text-s); }
    `,
  ];

  @property({ attribute: false }) catalogue!: ToolCatalogue;
  @state() private open = false;

  override render(): TemplateResult {
    const { tools, collisions } = this.catalogue;
    return html`<details data-testid="chat-tools" data-count=${tools.length} @toggle=${this.toggled}>
      <summary>${t("chatTools", tools.length)} ${collisions.length > 0 ? badge(t("collisions", collisions.length), "warn") : nothing}</summary>
      ${this.open ? this.list(tools, collisions) : nothing}
    </details>`;
  }

  private list(tools: readonly AgentTool[], collisions: readonly Collision[]): TemplateResult {
    return html`<ul tabindex="0" aria-label=${t("chatToolsList")}>
      ${collisions.map(({ name, kept, hidden }) => this.collision(name, kept, hidden))}
      ${tools.slice(0, LISTED).map((tool) => this.line(tool))}
    </ul>`;
  }

  private line({ kind, name, source }: AgentTool): TemplateResult {
    return html`<li>${badge(badgeOf(kind))}<code class="cut" title=${source}>${name}</code></li>`;
  }

  private collision(name: string, kept: AgentTool, hidden: AgentTool): Part {
    return html`<li class="warn" data-testid="collision">${t("collision", name, kept.source, hidden.source)}</li>`;
  }

  private toggled(event: Event): void {
    this.open = (event.target as HTMLDetailsElement).open;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-tool-summary": ToolSummary;
  }
}
