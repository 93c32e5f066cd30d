/** The relay connection as it is at this moment, its sources, its calls as they come, and its settings. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { RelaySourceStatus, RelayStatus } from "../../../contract/panel.ts";
import { languageTag, t } from "../i18n.ts";
import { phaseLook, sourceName } from "../relay-text.ts";
import { PanelTab } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { badge, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import "./relay-calls.ts";
import "./relay-settings.ts";

@customElement("lumo-relay-tab")
export default class RelayTab extends PanelTab {
  static override styles = [
    shared,
    css`
      .state { font-size: var(--text-l); font-weight: 600; }
      li { padding: var(--space-2) 0; border-top: 1px solid var(--line); }
      li:last-child { padding-bottom: 0; }
      .title { flex: 1; min-width: 0; }
    `,
  ];

  override render(): TemplateResult {
    const status = this.model.relay;
    return html`<div class="tab">
      <section class="card stack" aria-label=${t("relayState")}>
        ${this.state(status)} ${status ? this.facts(status) : nothing}
        <div class="row">
          <button class="primary" type="button" data-testid="relay-reconnect" ?disabled=${status?.phase === "connected"}
            @click=${() => this.model.reconnect()}>${icon("refresh")}${t("reconnect")}</button>
        </div>
      </section>
      ${status ? this.sources(status) : nothing}
      <lumo-relay-calls .calls=${this.model.relayCalls}></lumo-relay-calls>
      <lumo-relay-settings .model=${this.model} .stored=${this.model.settings}></lumo-relay-settings>
    </div>`;
  }

  private state(status: RelayStatus | undefined): TemplateResult {
    const phase = status?.phase ?? "asleep";
    const { text, look } = phaseLook(status);
    return html`<div>
      <p class="state ${look}" data-testid="relay-state" data-phase=${phase}>${text}</p>
      <p class="muted">${t(`phase_hint_${phase}`)}</p>
    </div>`;
  }

  private facts(status: RelayStatus): TemplateResult {
    const { relay } = status;
    const next =
      status.nextTryAt === undefined ? "" : new Date(status.nextTryAt).toLocaleTimeString(languageTag());
    const where = relay
      ? `${status.host}:${relay.port}`
      : `${status.host}:${status.ports[0]}–${status.ports[1]}`;
    return html`<dl class="facts">
      ${fact(t("endpoint"), where, "relay-endpoint")} ${fact(t("relayId"), relay?.relayId, "relay-id")}
      ${fact(t("label"), relay?.label)} ${fact(t("workspace"), relay?.workspace)} ${fact(t("nextTry"), next)}
      ${fact(t("problem"), status.problem && t(`problem_${status.problem}`), "relay-problem")}
    </dl>`;
  }

  private sources(status: RelayStatus): TemplateResult {
    return html`<section class="card stack" aria-label=${t("sources")}>
      <h2>${t("sources")}</h2>
      <ul>${status.sources.map((source) => this.source(source))}</ul>
    </section>`;
  }

  private source(source: RelaySourceStatus): TemplateResult {
    const tab = this.model.tabs.find(({ tabId }) => String(tabId) === source.id)?.tab;
    return html`<li class="stack tight" data-testid="relay-source" data-source=${source.id} data-up=${source.up}>
      <div class="row">
        <span class="title cut">${sourceName(source.id)}${tab?.title ? html` · <span class="muted">${tab.title}</span>` : nothing}</span>
        ${badge(source.up ? t("sourceUp") : t("sourceDown"), source.up ? "good" : "quiet")}
      </div>
      <p class="muted">${t("toolCount", source.tools)} ${source.dropped > 0 ? t("toolsDropped", source.dropped) : ""}</p>
      ${source.rejected ? html`<p class="bad">${t("sourceRejected", source.rejected)}</p>` : nothing}
    </li>`;
  }
}

function fact(name: string, value: string | undefined, testId = ""): Part {
  return value ? html`<dt>${name}</dt><dd data-testid=${testId}>${value}</dd>` : nothing;
}
