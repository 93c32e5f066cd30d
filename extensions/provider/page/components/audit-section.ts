/** The audit log, newest first, and its export. */
import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { AuditEntry } from "../../../contract/lumo-audit.ts";
import { toJsonLines } from "../../agent/audit.ts";
import { localTime, t } from "../i18n.ts";
import { Section } from "./section.ts";
import { shared } from "./style.ts";

const COLUMNS = ["at", "tool", "sender", "result", "target", "digest"] as const;

@customElement("audit-section")
export class AuditSection extends Section {
  static override styles = [
    shared,
    css`
      .scroll { overflow: auto; max-height: 480px; border: 1px solid var(--line); border-radius: 10px; margin-top: 8px; }
      table { border-collapse: collapse; font-size: 0.86rem; min-width: 100%; }
      th, td { text-align: left; padding: 5px 10px; border-bottom: 1px solid var(--line); white-space: nowrap; }
      caption { text-align: left; padding: 5px 10px; }
      th { position: sticky; top: 0; background: var(--raised); }
    `,
  ];

  override render(): TemplateResult {
    const { audit } = this.view;
    return html`
      <section aria-labelledby="title">
        <div class="row">
          <h2 id="title" class="grow">${t("audit")}</h2>
          <button type="button" data-testid="audit-export" ?disabled=${audit.length === 0} @click=${this.export}>
            ${t("export")}
          </button>
        </div>
        <p class="quiet">${t("auditHint")}</p>
        ${audit.length === 0 ? html`<p class="quiet">${t("auditEmpty")}</p>` : this.renderTable(audit)}
      </section>
    `;
  }

  private renderTable(audit: AuditEntry[]): TemplateResult {
    return html`
      <div class="scroll" tabindex="0" role="region" aria-labelledby="title">
        <table>
          <caption class="quiet">${t("auditCount", audit.length)}</caption>
          <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${t(`column_${name}`)}</th>`)}</tr></thead>
          <tbody>${audit.toReversed().map((entry) => this.renderEntry(entry))}</tbody>
        </table>
      </div>
    `;
  }

  private renderEntry(entry: AuditEntry): TemplateResult {
    const own = entry.senderId === chrome.runtime.id;
    return html`
      <tr data-testid="audit-entry" data-result=${entry.result} data-tool=${entry.tool}>
        <td>${localTime(entry.at)}</td>
        <td><code>${entry.tool}</code></td>
        <td>${own ? t("you") : html`<code>${entry.senderId}</code>`}</td>
        <td>${entry.result}</td>
        <td><code>${entry.targetUuid}</code></td>
        <td><code>${entry.argumentsDigest.slice(0, 12)}</code></td>
      </tr>
    `;
  }

  private export(): void {
    const url = URL.createObjectURL(new Blob([toJsonLines(this.view.audit)], { type: "application/jsonl" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `lumo-userscripts-audit-${new Date().toISOString().slice(0, 10)}.jsonl`;
    link.click();
    URL.revokeObjectURL(url);
  }
}
