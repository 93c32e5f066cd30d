/** Small pieces that every tab is made of. Texts that they are given are shown as text, whatever is in them. */
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../i18n.ts";
import { type IconName, icon } from "./icons.ts";

export type Look = "good" | "warn" | "bad" | "accent" | "quiet";
/** What a template may hold. */
export type Part = TemplateResult | typeof nothing;

export function badge(text: string, look: Look = "quiet", testId?: string): TemplateResult {
  return html`<span class="badge ${look}" data-testid=${testId ?? nothing}><span class="cut">${text}</span></span>`;
}

/** An error: its code and a sentence that says what to do. Announced at once. */
export function errorLine(code: string, text: string, testId = "error"): TemplateResult {
  return html`<p class="notice bad" role="alert" data-testid=${testId} data-code=${code}>
    ${icon("alert")}<span><code data-testid="error-code">${code}</code> ${text}</span>
  </p>`;
}

/** Something that went well, announced when there is time. */
export function doneLine(text: string, testId = "done"): TemplateResult {
  return html`<p class="notice good" role="status" data-testid=${testId}>${icon("check")}<span>${text}</span></p>`;
}

/** Nothing is here yet: what that means and what to do; `action` is usually a button. */
export function emptyState(
  name: IconName,
  text: { title: string; hint: string; testId?: string },
  action: Part = nothing,
): TemplateResult {
  return html`<div class="empty" data-testid=${text.testId ?? nothing}>
    ${icon(name, 28)}<strong>${text.title}</strong><span>${text.hint}</span>${action}
  </div>`;
}

/** A labelled control: the label holds it, so that no id is needed. `hint` stands below and is no part of its name. */
export function field(
  label: string,
  control: TemplateResult,
  more: { hint?: string; required?: boolean } = {},
): TemplateResult {
  const mark = more.required
    ? html` <span class="required" aria-hidden="true">*</span><span class="sr">${t("required")}</span>`
    : nothing;
  return html`<div class="field">
    <label class="field"><span class="label">${label}${mark}</span>${control}</label>
    ${more.hint ? html`<span class="muted">${more.hint}</span>` : nothing}
  </div>`;
}

/** A button that shows an icon only. */
export function iconButton(
  name: IconName,
  label: string,
  click: (event: Event) => void,
  testId?: string,
): TemplateResult {
  return html`<button
    class="plain only-icon" type="button" aria-label=${label} title=${label} data-testid=${testId ?? nothing} @click=${click}
  >${icon(name)}</button>`;
}
