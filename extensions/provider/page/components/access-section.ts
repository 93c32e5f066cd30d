/** The three switches, and whether the browser lets scripts run. */
import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { Policy } from "../../agent/policy.ts";
import { t } from "../i18n.ts";
import { Section } from "./section.ts";
import { shared } from "./style.ts";

const SWITCHES = ["endpoint", "write", "review"] as const satisfies (keyof Policy)[];

@customElement("access-section")
export class AccessSection extends Section {
  static override styles = [
    shared,
    css`
      label { display: grid; grid-template-columns: 18px 1fr; gap: 0 12px; align-items: start; padding: 6px 0; }
      label input { margin-top: 3px; }
      label .quiet { display: block; }
      .card { margin: 8px 0; }
    `,
  ];

  override render(): TemplateResult {
    return html`
      <section aria-labelledby="title">
        <h2 id="title">${t("access")}</h2>
        <p class="quiet">${t("accessHint")}</p>
        <div class="card">${SWITCHES.map((name) => this.renderSwitch(name))}</div>
        ${this.renderReadiness()}
      </section>
    `;
  }

  private renderSwitch(name: keyof Policy): TemplateResult {
    const toggle = (event: Event) =>
      this.ask({ type: "policy/set", name, on: (event.target as HTMLInputElement).checked });
    return html`
      <label>
        <input type="checkbox" role="switch" aria-describedby="${name}-hint" data-testid="policy-${name}"
          aria-label=${t(`policy_${name}`)} .checked=${live(this.view.policy[name])} @change=${toggle} />
        <span>
          <strong>${t(`policy_${name}`)}</strong>
          <span class="quiet" id="${name}-hint">${t(`policy_${name}_hint`)}</span>
        </span>
      </label>
    `;
  }

  private renderReadiness(): TemplateResult {
    const { notReady } = this.view;
    return html`
      <p class="quiet" data-testid="readiness" data-ready=${notReady === undefined}>
        <span class=${notReady === undefined ? "good" : "warn"}>${t(notReady === undefined ? "ready" : "notReady")}</span>
        ${notReady}
      </p>
    `;
  }
}
