/** Base classes of the panel's components: they follow the language, and a tab follows the model while it is shown. */
import { LitElement, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { onLanguage } from "../i18n.ts";
import type { PanelModel } from "../panel-model.ts";

/** Every component of the panel: drawn anew when the language changes, with all its state kept. */
export abstract class LumoElement extends LitElement {
  private stopLanguage: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopLanguage = onLanguage(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopLanguage?.();
  }
}

/**
 * The content of one tab of the panel. It is made when the tab is first shown and stays until the panel closes; while
 * another tab is shown it draws nothing, whatever its state does.
 */
export abstract class PanelTab extends LumoElement {
  @property({ attribute: false }) model!: PanelModel;
  /** Whether this is the tab that is shown. */
  @property({ attribute: false }) active = false;
  private stopModel: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopModel = this.model.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopModel?.();
  }

  protected override shouldUpdate(_changed: PropertyValues): boolean {
    return this.active;
  }
}
