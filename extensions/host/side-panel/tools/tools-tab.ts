/** The tools of the selected tabs, the providers and the extension, source by source. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { ProviderView } from "../../../contract/providers.ts";
import { NO_CONTENT_SCRIPT } from "../../page-port/page-link.ts";
import { t } from "../i18n.ts";
import { providerTools } from "../panel-model.ts";
import { stateText } from "../provider-text.ts";
import { ShowTab } from "../shell/tab-registry.ts";
import type { TabSource } from "../tab-sources.ts";
import type { ListedTool } from "../tool-catalogue.ts";
import { PanelTab } from "../ui/elements.ts";
import { emptyState, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { CallHistory } from "./call-history.ts";
import { matching } from "./filter.ts";
import "./tool-card.ts";

@customElement("lumo-tools-tab")
export default class ToolsTab extends PanelTab {
  static override styles = [
    shared,
    css`
      .head { display: flex; justify-content: space-between; gap: var(--space-2); align-items: baseline; }
      .head span { flex: none; }
      .rejected ul { list-style: disc; padding-left: var(--space-4); }
      .cards { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); }
    `,
  ];

  @state() private wanted = "";
  private readonly history = new CallHistory();

  override render(): TemplateResult {
    const { tabs, builtins, providers = [] } = this.model;
    const serving = providers.filter((provider) => provider.tools.length > 0);
    return html`<div class="tab">
      ${this.filter()} ${tabs.length === 0 ? this.noTabs() : nothing}
      ${repeat(
        tabs,
        (source) => source.tabId,
        (source) => this.tabSection(source),
      )}
      ${repeat(
        serving,
        (provider) => provider.id,
        (provider) => this.providerSection(provider),
      )}
      <section class="stack" data-testid="source-extension" aria-label=${t("builtinSource")}>
        ${this.head(t("builtinSource"), builtins.length)} ${this.cards(builtins)}
      </section>
    </div>`;
  }

  private filter(): TemplateResult {
    return html`<input type="search" data-testid="tool-filter" aria-label=${t("filterTools")} placeholder=${t("filterTools")}
      .value=${this.wanted} @input=${(event: Event) => {
        this.wanted = (event.target as HTMLInputElement).value;
      }} />`;
  }

  private noTabs(): TemplateResult {
    const choose = html`<button type="button" class="primary" @click=${() => this.dispatchEvent(new ShowTab("tabs"))}>${t("noTabsAction")}</button>`;
    return emptyState(
      "tabs",
      { title: t("noTabsSelected"), hint: t("noTabsHint"), testId: "no-tabs" },
      choose,
    );
  }

  private tabSection(source: TabSource): TemplateResult {
    const title = source.tab?.title || t("tabNumber", source.tabId);
    return html`<section
      class="stack" data-testid="source-tab" data-tab-id=${source.tabId} data-state=${source.snapshot.state} aria-label=${title}
    >
      <div>${this.head(title, source.tools.length)}<p class="muted cut" title=${source.tab?.url ?? ""}>${source.tab?.url ?? ""}</p></div>
      ${this.stateLine(source)} ${this.cards(source.tools)} ${this.rejected(source)}
    </section>`;
  }

  private providerSection(provider: ProviderView): TemplateResult {
    const title = provider.service?.name || provider.id;
    const greyed = provider.code === "not_ready";
    return html`<section
      class="stack" data-testid="source-provider" data-provider-id=${provider.id} data-greyed=${greyed} aria-label=${title}
    >
      ${this.head(title, provider.tools.length)}
      ${greyed ? html`<p class="notice warn" data-testid="provider-not-ready">${stateText(provider)}</p>` : nothing}
      ${this.cards(providerTools(provider))}
    </section>`;
  }

  private head(title: string, count: number): TemplateResult {
    return html`<div class="head">
      <h2>${title}</h2>
      <span class="muted" data-testid="tool-count">${t("toolCount", count)}</span>
    </div>`;
  }

  private stateLine({ snapshot }: TabSource): Part {
    if (snapshot.state === "ready") return this.runtimeLine(snapshot.runtime);
    const reason = snapshot.reason === NO_CONTENT_SCRIPT ? t("reason_no_content_script") : snapshot.reason;
    return html`<p class="notice warn" data-testid="page-state"><span>${t(`page_${snapshot.state}`)} ${reason ?? ""}</span></p>`;
  }

  private runtimeLine(runtime: string | undefined): Part {
    if (runtime !== "polyfill") return nothing;
    return html`<p class="muted" data-testid="page-runtime">${t("runtime_polyfill")}</p>`;
  }

  private cards(tools: ListedTool[]): TemplateResult {
    const shown = matching(tools, this.wanted);
    if (shown.length === 0 && tools.length > 0) return html`<p class="muted">${t("nothingMatches")}</p>`;
    return html`<div class="cards">${repeat(
      shown,
      (entry) => entry.publicName,
      (entry) =>
        html`<lumo-tool-card .model=${this.model} .history=${this.history} .entry=${entry}></lumo-tool-card>`,
    )}</div>`;
  }

  private rejected({ snapshot }: TabSource): Part {
    if (snapshot.rejected.length === 0) return nothing;
    return html`<div class="muted rejected" data-testid="rejected-tools">
      ${t("rejectedTools")}
      <ul>${snapshot.rejected.map(({ name, rule }) => html`<li><code>${name.slice(0, 200)}</code>: ${rule}</li>`)}</ul>
    </div>`;
  }
}
