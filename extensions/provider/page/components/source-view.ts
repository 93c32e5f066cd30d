/** Where a script runs, and its source: what a person has to see before approving. */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Metadata } from "../../userscripts/metadata.ts";
import { readSource } from "../../userscripts/model.ts";
import { t } from "../i18n.ts";
import { shared } from "./style.ts";

@customElement("source-view")
export class SourceView extends LitElement {
  static override styles = [shared];

  @property({ attribute: false }) metadata!: Metadata;
  /** Storage key of the source. */
  @property() key = "";
  /** Changes with the source, so that it is read again. */
  @property() digest = "";
  @property() caption = "";
  @property({ type: Boolean }) open = false;
  @state() private source = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("key") || changed.has("digest")) void this.load(this.key);
  }

  private async load(key: string): Promise<void> {
    const source = await readSource(key);
    if (key === this.key) this.source = source;
  }

  override render(): TemplateResult {
    const { matches, excludeMatches } = this.metadata;
    return html`
      <p class="quiet" data-testid="matches">${t("runsOn")}: <code>${matches.join("  ")}</code></p>
      ${
        excludeMatches.length > 0
          ? html`<p class="quiet">${t("notOn")}: <code>${excludeMatches.join("  ")}</code></p>`
          : nothing
      }
      <details ?open=${this.open}>
        <summary>${this.caption}</summary>
        <pre tabindex="0" data-testid="source">${this.source}</pre>
      </details>
    `;
  }
}
