/** The calls of MCP clients as they come, newest first. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { RelayCall } from "../../../contract/panel.ts";
import { languageTag, t } from "../i18n.ts";
import { sourceName } from "../relay-text.ts";
import { LumoElement } from "../ui/elements.ts";
import { badge, type Look } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";

@customElement("lumo-relay-calls")
export class RelayCalls extends LumoElement {
  static override styles = [
    shared,
    css`
      .log { max-height: 320px; overflow: auto; }
      li { padding: var(--space-2) 0; border-top: 1px solid var(--line); }
      .title { flex: 1; min-width: 0; font-weight: 600; }
    `,
  ];

  /** Oldest first. */
  @property({ attribute: false }) calls: readonly RelayCall[] = [];

  override render(): TemplateResult {
    return html`<section class="card stack" aria-label=${t("relayCalls")}>
      <div class="row apart"><h2>${t("relayCalls")}</h2><span class="muted" data-testid="relay-call-count">${this.calls.length}</span></div>
      ${
        this.calls.length === 0
          ? html`<p class="muted" data-testid="no-relay-calls">${t("noRelayCalls")}</p>`
          : html`<div class="log" role="log" tabindex="0" aria-label=${t("relayCalls")}>
              <ul>${repeat(
                [...this.calls].reverse(),
                (call) => call.key,
                (call) => this.call(call),
              )}</ul>
            </div>`
      }
    </section>`;
  }

  private call(call: RelayCall): TemplateResult {
    const { text, look } = outcomeOf(call);
    const time = new Date(call.startedAt).toLocaleTimeString(languageTag());
    const duration = call.milliseconds === undefined ? "" : ` · ${Math.round(call.milliseconds)} ms`;
    return html`<li class="stack tight" data-testid="relay-call" data-tool=${call.tool} data-outcome=${call.outcome ?? "running"}>
      <div class="row"><code class="title cut">${call.tool}</code>${badge(text, look)}</div>
      <p class="muted">${time}${duration} · ${sourceName(call.source)}</p>
      ${call.args === "{}" ? nothing : html`<code class="muted cut">${call.args}</code>`}
    </li>`;
  }
}

function outcomeOf({ outcome }: RelayCall): { text: string; look: Look } {
  if (outcome === undefined) return { text: t("running"), look: "accent" };
  if (outcome === "ok") return { text: t("succeeded"), look: "good" };
  return outcome === "error" ? { text: t("failed"), look: "bad" } : { text: outcome, look: "bad" };
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-relay-calls": RelayCalls;
  }
}
