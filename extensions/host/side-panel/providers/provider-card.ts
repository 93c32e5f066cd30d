/** One provider: who it is, its state by code and text, counts, rejections, and what the user can do about it. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ProviderView } from "../../../contract/providers.ts";
import { t } from "../i18n.ts";
import type { PanelModel } from "../panel-model.ts";
import { ruleText, stateLook, stateText } from "../provider-text.ts";
import { LumoElement } from "../ui/elements.ts";
import { badge } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";

@customElement("lumo-provider-card")
export class ProviderCard extends LumoElement {
  static override styles = [
    shared,
    css`
      ul { list-style: disc; margin-top: var(--space-1); padding-left: var(--space-4); overflow-wrap: anywhere; }
    `,
  ];

  @property({ attribute: false }) model!: PanelModel;
  @property({ attribute: false }) provider!: ProviderView;

  override render(): TemplateResult {
    const { provider } = this;
    const { name } = this;
    return html`<section
      class="card stack" data-testid="provider" data-provider-id=${provider.id} data-state=${provider.state}
      data-code=${provider.code ?? ""} data-checking=${provider.checking} data-checked-at=${provider.checkedAt ?? ""} aria-label=${name}
    >
      <h2 data-testid="provider-name">${name}</h2>
      <code class="muted">${provider.id}</code>
      ${this.stateLine()} ${this.problem()} ${this.counts()} ${this.rejections()} ${this.offerSwitch()} ${this.buttons()}
    </section>`;
  }

  private get name(): string {
    return this.provider.service?.name || t("unnamedProvider");
  }

  private stateLine(): TemplateResult {
    const { provider } = this;
    const look = stateLook(provider);
    return html`<p class="row" role="status">
      ${badge(provider.code ?? t(`state_${provider.state}`), look, "provider-code")}
      <span data-testid="provider-text">${stateText(provider)}</span>
      ${provider.checking ? html`<span class="muted">${t("checking")}</span>` : nothing}
    </p>`;
  }

  private problem(): TemplateResult | typeof nothing {
    const { problem } = this.provider;
    if (problem === undefined) return nothing;
    return html`<p class="bad" data-testid="provider-problem">${t("providerProblem", problem)}</p>`;
  }

  private counts(): TemplateResult | typeof nothing {
    const { state, code, tools, rejected, moreRejected, service } = this.provider;
    if (state !== "connected" && code !== "not_ready") return nothing;
    const namespace = service ? `${service.namespace} · ${service.version}` : "";
    return html`<p class="row muted">
      <span data-testid="provider-tools">${t("toolCount", tools.length)}</span>
      <span data-testid="provider-rejected">${t("rejectedCount", rejected.length + moreRejected)}</span>
      <span data-testid="provider-namespace">${namespace}</span>
    </p>`;
  }

  private rejections(): TemplateResult | typeof nothing {
    const { rejected, moreRejected } = this.provider;
    if (rejected.length === 0) return nothing;
    const more = moreRejected > 0 ? html`<li>${t("moreRejected", moreRejected)}</li>` : nothing;
    return html`<details class="muted" data-testid="provider-rejections" open>
      <summary class="arrow">${t("rejectedTools")}</summary>
      <ul>
        ${rejected.map(
          (entry) =>
            html`<li data-testid="rejection" data-rule=${entry.rule}><code>${entry.name}</code>: ${ruleText(entry)}</li>`,
        )}
        ${more}
      </ul>
    </details>`;
  }

  private offerSwitch(): TemplateResult | typeof nothing {
    const { id, offered, code } = this.provider;
    if (code === "invalid_id") return nothing;
    return html`<label class="line"
      ><input type="checkbox" data-testid="provider-offer" .checked=${offered}
        @change=${(event: Event) => this.model.offerProvider(id, (event.target as HTMLInputElement).checked)}
      />${t("offerProvider")}</label
    >`;
  }

  /** Every card has these buttons: a screen reader's list of them needs more than the verb. */
  private named(verb: "retry" | "remove"): string {
    return `${t(verb)}: ${this.name}`;
  }

  private buttons(): TemplateResult {
    const { id, checking, code } = this.provider;
    const retry = html`<button type="button" data-testid="provider-retry" aria-label=${this.named("retry")} ?disabled=${checking} @click=${() => this.model.retryProvider(id)}>
      ${t("retry")}
    </button>`;
    return html`<div class="row">
      ${code === "invalid_id" ? nothing : retry}
      <button type="button" class="plain" data-testid="provider-remove" aria-label=${this.named("remove")} @click=${() => this.model.removeProvider(id)}>
        ${t("remove")}
      </button>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-provider-card": ProviderCard;
  }
}
