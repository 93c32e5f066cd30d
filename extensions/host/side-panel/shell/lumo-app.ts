/** The panel's frame: the relay's state always in sight, the row of tabs, and the tab that is shown. */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { t } from "../i18n.ts";
import type { PanelModel } from "../panel-model.ts";
import { phaseLook } from "../relay-text.ts";
import { LumoElement, type PanelTab } from "../ui/elements.ts";
import { icon } from "../ui/icons.ts";
import { errorLine } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";
import { appStyle } from "./app-style.ts";
import { placeAfter } from "./tab-keys.ts";
import { FIRST_TAB, type ShowTab, TAB_IDS, TABS, type TabId } from "./tab-registry.ts";

@customElement("lumo-app")
export class LumoApp extends LumoElement {
  static override styles = [shared, appStyle];

  @state() private shown: TabId = FIRST_TAB;
  @state() private failed: string | undefined;
  /** Told of each tab that the user goes to. */
  remember: (tab: TabId) => void = () => {};
  private readonly contents = new Map<TabId, PanelTab>();
  private model: PanelModel | undefined;

  /** Begins with this tab. To be called once. */
  start(model: PanelModel, tab: TabId): void {
    this.model = model;
    model.subscribe(() => this.requestUpdate());
    this.addEventListener("lumo-show-tab", (event) => this.go((event as ShowTab).detail));
    void this.show(tab);
  }

  override render(): TemplateResult {
    return html`
      <header>
        <div class="top"><h1>${icon("relay", 18)}${t("extensionName")}</h1>${this.relayBadge()}</div>
        <div role="tablist" aria-label=${t("views")} @keydown=${this.moveFocus}>${TAB_IDS.map((id) => this.tab(id))}</div>
      </header>
      <main>${TAB_IDS.map((id) => this.panel(id))}</main>
    `;
  }

  private relayBadge(): TemplateResult {
    const { text, look } = phaseLook(this.model?.relay);
    const phase = this.model?.relay?.phase ?? "asleep";
    return html`<span class="badge ${look}" role="status" data-testid="relay-badge" data-phase=${phase}
      ><span class="dot"></span><span class="cut">${text}</span></span
    >`;
  }

  private tab(id: TabId): TemplateResult {
    const selected = id === this.shown;
    const name = t(`view_${id}`);
    return html`<button
      role="tab" id="tab-${id}" data-testid="view-${id}" aria-controls="panel-${id}" aria-label=${name} title=${name}
      aria-selected=${selected} tabindex=${selected ? 0 : -1} @click=${() => this.go(id)}
    >${icon(TABS[id].icon, 18)}<span>${t(`view_${id}_short`)}</span></button>`;
  }

  private panel(id: TabId): TemplateResult {
    const shown = id === this.shown;
    const content = this.contents.get(id);
    return html`<div role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}" ?hidden=${!shown}>
      ${content ?? (shown && this.failed !== undefined ? errorLine("tab_not_loaded", t("tabNotLoaded", this.failed)) : nothing)}
    </div>`;
  }

  private go(id: TabId): void {
    this.remember(id);
    void this.show(id);
  }

  private async show(id: TabId): Promise<void> {
    this.shown = id;
    this.failed = undefined;
    const content = this.contents.get(id) ?? (await this.make(id));
    for (const [other, element] of this.contents) element.active = other === this.shown;
    if (content) this.requestUpdate();
  }

  private async make(id: TabId): Promise<PanelTab | undefined> {
    try {
      const { default: Content } = await TABS[id].load();
      const content = this.contents.get(id) ?? Object.assign(new Content(), { model: this.model });
      this.contents.set(id, content);
      return content;
    } catch (cause) {
      this.failed = cause instanceof Error ? cause.message : String(cause);
      return undefined;
    }
  }

  private async moveFocus(event: KeyboardEvent): Promise<void> {
    const place = placeAfter(event.key, TAB_IDS.indexOf(this.shown), TAB_IDS.length);
    const next = place === undefined ? undefined : TAB_IDS[place];
    if (!next) return;
    event.preventDefault();
    this.go(next);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lumo-app": LumoApp;
  }
}
