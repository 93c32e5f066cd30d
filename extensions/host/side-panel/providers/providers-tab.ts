/** Provider extensions: adding one by its id, and how each stands. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../i18n.ts";
import { splitIds } from "../provider-text.ts";
import "./provider-card.ts";
import { PanelTab } from "../ui/elements.ts";
import { emptyState, errorLine } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";

@customElement("lumo-providers-tab")
export default class ProvidersTab extends PanelTab {
  static override styles = [
    shared,
    css`.entry { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-2); }`,
  ];

  @state() private refused: string[] = [];

  override render(): TemplateResult {
    const { providers } = this.model;
    return html`<div class="tab">
      <form class="card stack" aria-label=${t("addProvider")} @submit=${this.add}>
        <h2>${t("addProvider")}</h2>
        <div class="field">
          <label class="label" for="provider-id">${t("providerId")}</label>
          <div class="entry">
            <input type="text" class="code" id="provider-id" name="ids" data-testid="provider-id" autocomplete="off" spellcheck="false"
              aria-describedby="provider-hint" aria-invalid=${this.refused.length > 0} />
            <button class="primary" type="submit" data-testid="provider-add">${t("add")}</button>
          </div>
          <p class="muted" id="provider-hint">${t("providerHint")}</p>
        </div>
        ${this.refusal()}
      </form>
      ${
        providers?.length === 0
          ? emptyState("providers", {
              title: t("noProviders"),
              hint: t("noProvidersHint"),
              testId: "no-providers",
            })
          : nothing
      }
      <ul class="stack" aria-label=${t("view_providers")} ?hidden=${!providers?.length}>
        ${repeat(
          providers ?? [],
          (provider) => provider.id,
          (provider) =>
            html`<li><lumo-provider-card .model=${this.model} .provider=${provider}></lumo-provider-card></li>`,
        )}
      </ul>
    </div>`;
  }

  private refusal(): TemplateResult | typeof nothing {
    if (this.refused.length === 0) return nothing;
    const ids = this.refused.map((id) => id.slice(0, 100)).join(" ");
    return errorLine("invalid_id", `${t("provider_invalid_id")} ${ids}`, "provider-refused");
  }

  private async add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const ids = splitIds(String(new FormData(form).get("ids") ?? ""));
    if (ids.length === 0) return;
    this.refused = await this.model.addProviders(ids);
    const input = form.elements.namedItem("ids") as HTMLInputElement;
    input.value = this.refused.join(" ");
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-providers-tab": ProvidersTab;
  }
}
