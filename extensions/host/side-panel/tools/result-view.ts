/** A tool's result, as text whatever it is. */
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../i18n.ts";
import { errorOf, textOf } from "../result-text.ts";
import { badge } from "../ui/parts.ts";
import type { PastCall } from "./call-history.ts";

/** Characters of a result that are drawn; megabytes of text would stop the panel for seconds. */
const MAX_SHOWN = 100_000;

export function durationText(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

export function resultView({ result, milliseconds }: PastCall): TemplateResult {
  const failed = result.isError === true;
  const error = errorOf(result);
  return html`<div class="stack tight">
    <div class="row">
      ${error ? badge(error.code, "bad", "error-code") : badge(t(failed ? "failed" : "succeeded"), failed ? "bad" : "good")}
      ${error ? html`<span class="muted" data-testid="error-executed" data-executed=${error.executed}>${t(`executed_${error.executed}`)}</span>` : nothing}
      <span class="muted" data-testid="tool-duration">${durationText(milliseconds)}</span>
    </div>
    ${block(textOf(result), t("result"), "tool-result", failed)}
    ${
      result.structuredContent
        ? html`<details>
            <summary class="muted arrow">${t("structured")}</summary>
            ${block(JSON.stringify(result.structuredContent, null, 2), t("structured"), "tool-structured", failed)}
          </details>`
        : nothing
    }
  </div>`;
}

function block(text: string, name: string, testId: string, failed: boolean): TemplateResult {
  const shown = text.slice(0, MAX_SHOWN);
  return html`<pre tabindex="0" role="group" aria-label=${name} data-testid=${testId} data-error=${failed}>${shown}</pre>
    ${text.length > MAX_SHOWN ? html`<p class="muted" data-testid="result-cut">${t("toolResultCut", MAX_SHOWN, text.length)}</p>` : nothing}`;
}
