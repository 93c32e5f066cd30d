/** Which tabs feed the panel and the relay: the selected ones on top. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../i18n.ts";
import { PanelTab } from "../ui/elements.ts";
import { badge, emptyState, type Part } from "../ui/parts.ts";
import { shared } from "../ui/style.ts";

type TabEvent = Pick<chrome.events.Event<() => void>, "addListener" | "removeListener">;

@customElement("lumo-data-source-tab")
export default class DataSourceTab extends PanelTab {
  static override styles = [
    shared,
    css`
      li label { cursor: pointer; padding: var(--space-1) 0; gap: var(--space-3); }
      .card { padding: var(--space-2) var(--space-3); }
      .card.chosen { border-color: var(--accent); }
      .name { display: grid; flex: 1; min-width: 0; }
    `,
  ];

  @state() private tabs: chrome.tabs.Tab[] | undefined;
  /** Id of the tab whose box has the focus, as an update begins. */
  private focused: string | undefined;
  private readonly reload = (): void => void this.load();

  override connectedCallback(): void {
    super.connectedCallback();
    for (const event of this.tabEvents()) event.addListener(this.reload);
    this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const event of this.tabEvents()) event.removeListener(this.reload);
  }

  override render(): TemplateResult {
    const selected = this.model.tabs.map((source) => source.tabId);
    const isSelected = (tab: chrome.tabs.Tab) => selected.includes(tab.id ?? -1);
    const tabs = this.tabs ?? [];
    const chosen = tabs.filter(isSelected);
    const others = tabs.filter((tab) => !isSelected(tab));
    return html`<div class="tab">
      <p class="muted">${t("tabsHint")}</p>
      ${this.group(t("selectedTabs"), chosen, selected, this.noneSelected())}
      ${others.length > 0 ? this.group(t("otherTabs"), others, selected, nothing) : nothing}
    </div>`;
  }

  override willUpdate(): void {
    const { activeElement = null } = this.shadowRoot ?? {};
    this.focused = activeElement instanceof HTMLElement ? activeElement.dataset.tabId : undefined;
  }

  /** A ticked line moves to the other list, and the focus with it. */
  override updated(): void {
    if (this.focused === undefined || this.shadowRoot?.activeElement) return;
    this.renderRoot.querySelector<HTMLElement>(`[data-tab-id="${this.focused}"]`)?.focus();
  }

  private noneSelected(): Part {
    if (!this.tabs) return nothing;
    return emptyState("tabs", {
      title: t("noTabsSelected"),
      hint: t("tabsEmptyHint"),
      testId: "no-selection",
    });
  }

  private group(name: string, tabs: chrome.tabs.Tab[], selected: number[], empty: Part): TemplateResult {
    return html`<section class="stack" aria-label=${name}>
      <h2>${name} <span class="muted">${tabs.length}</span></h2>
      ${
        tabs.length === 0
          ? empty
          : html`<ul class="stack">${repeat(
              tabs,
              (tab) => tab.id,
              (tab) => this.line(tab, selected),
            )}</ul>`
      }
    </section>`;
  }

  private line(tab: chrome.tabs.Tab, selected: number[]): TemplateResult {
    const id = tab.id ?? -1;
    const chosen = selected.includes(id);
    const source = this.model.tabs.find((entry) => entry.tabId === id);
    return html`<li class=${chosen ? "card chosen" : "card"}>
      <label class="line">
        <input
          type="checkbox" data-testid="tab-choice" data-tab-id=${id} .checked=${chosen}
          @change=${(event: Event) => this.choose(id, (event.target as HTMLInputElement).checked, selected)}
        />
        <span class="name"><span class="cut">${tab.title || t("tabNumber", id)}</span><span class="muted cut">${tab.url ?? ""}</span></span>
        ${source ? badge(t("toolCount", source.tools.length), source.tools.length > 0 ? "good" : "quiet") : nothing}
      </label>
    </li>`;
  }

  private choose(id: number, wanted: boolean, selected: number[]): void {
    const others = selected.filter((other) => other !== id);
    this.model.select(wanted ? [...others, id] : others);
  }

  private async load(): Promise<void> {
    this.tabs = await chrome.tabs.query({});
  }

  private tabEvents(): TabEvent[] {
    return [chrome.tabs.onUpdated, chrome.tabs.onRemoved, chrome.tabs.onCreated, chrome.tabs.onReplaced];
  }
}
