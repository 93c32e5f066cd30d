/** How the fields of a schema look. Labels, hints and choices are the page's and are shown as text. */
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../i18n.ts";
import { icon } from "../ui/icons.ts";
import { field as labelled } from "../ui/parts.ts";
import { type Draft, emptyDraft, emptyGroup, type GroupDraft, type Problem, pathOf } from "./draft.ts";
import type { Field, GroupField } from "./schema-field.ts";

/** What a field needs of its form. */
export interface FieldContext {
  problems: readonly Problem[];
  /** Redraw with this in place of the field's draft. */
  set(draft: Draft): void;
}

const MAX_LABEL = 200;
const MAX_HINT = 400;

const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max)}…`);

/** One field with its label, hint and, where there is one, its problem. */
export function fieldView(field: Field, draft: Draft, path: string, context: FieldContext): TemplateResult {
  if (field.kind === "group") return groupView(field, draft, path, context);
  if (field.kind === "list") return listView(field, draft, path, context);
  const problem = context.problems.find((one) => one.path === path);
  const text = typeof draft === "string" ? draft : "";
  return html`<div class="stack tight" data-path=${path}>
    ${labelled(labelOf(field), control(field, text, problem !== undefined, context), {
      hint: cut(field.hint, MAX_HINT),
      required: field.required,
    })}
    ${problem ? html`<span class="muted bad" data-testid="field-problem">${t(problem.code)}</span>` : nothing}
  </div>`;
}

function labelOf(field: Field): string {
  return cut(field.label || field.name, MAX_LABEL);
}

function control(
  field: Exclude<Field, GroupField | { kind: "list" }>,
  text: string,
  wrong: boolean,
  { set }: FieldContext,
): TemplateResult {
  const typed = (event: Event) => set((event.target as HTMLInputElement).value);
  switch (field.kind) {
    case "flag":
      return select(text, field.required, wrong, typed, [
        ["true", "true"],
        ["false", "false"],
      ]);
    case "choice": {
      const choices = field.choices.map(
        ({ label }, place) => [String(place), cut(label, MAX_LABEL)] as const,
      );
      return select(text, false, wrong, typed, choices);
    }
    case "number":
      return html`<input type="text" inputmode=${field.whole ? "numeric" : "decimal"} autocomplete="off"
        .value=${text} aria-invalid=${wrong} placeholder=${rangeOf(field)} @input=${typed} />`;
    case "json":
      return html`<textarea class="code" spellcheck="false" rows="2" placeholder="JSON" .value=${text} aria-invalid=${wrong} @input=${typed}></textarea>`;
    case "text":
      return field.look === "long"
        ? html`<textarea spellcheck="false" .value=${text} aria-invalid=${wrong} @input=${typed}></textarea>`
        : html`<input type=${field.look} autocomplete="off" .value=${text} aria-invalid=${wrong} @input=${typed} />`;
  }
}

function select(
  text: string,
  always: boolean,
  wrong: boolean,
  typed: (event: Event) => void,
  choices: readonly (readonly [string, string])[],
): TemplateResult {
  return html`<select .value=${text} aria-invalid=${wrong} @change=${typed}>
    ${always ? nothing : html`<option value="" ?selected=${text === ""}>${t("notGiven")}</option>`}
    ${choices.map(([value, label]) => html`<option value=${value} ?selected=${text === value}>${label}</option>`)}
  </select>`;
}

function rangeOf({ min, max }: { min?: number; max?: number }): string {
  if (min === undefined && max === undefined) return "";
  return `${min ?? ""} – ${max ?? ""}`;
}

function groupView(field: GroupField, draft: Draft, path: string, context: FieldContext): TemplateResult {
  if (typeof draft !== "object" || Array.isArray(draft)) {
    return addButton(field, () => context.set(emptyGroup({ ...field, required: true })));
  }
  const body = groupBody(field, draft, path, context);
  if (path === "") return body;
  return html`<fieldset class="stack" data-path=${path}>
    ${legend(field)} ${body} ${field.required ? nothing : removeButton(labelOf(field), () => context.set(undefined))}
  </fieldset>`;
}

/** The members without a frame around them. */
export function groupBody(
  field: GroupField,
  draft: GroupDraft,
  path: string,
  { problems, set }: FieldContext,
): TemplateResult {
  return html`<div class="stack">
    ${field.members.map((member) => {
      const change = (value: Draft) =>
        set(Object.fromEntries([...Object.entries(draft), [member.name, value] as const]));
      return fieldView(member, draft[member.name], pathOf(path, member.name), { problems, set: change });
    })}
  </div>`;
}

function listView(
  field: Extract<Field, { kind: "list" }>,
  draft: Draft,
  path: string,
  { problems, set }: FieldContext,
): TemplateResult {
  const items = Array.isArray(draft) ? draft : [];
  const item = (value: Draft, place: number) => {
    const change = (to: Draft) => set(items.map((old, at) => (at === place ? to : old)));
    const name = `${labelOf(field)} ${place + 1}`;
    const entry = { ...field.item(place), label: name };
    return html`<div class="row item">
      <div class="grow">${fieldView(entry, value, pathOf(path, String(place)), { problems, set: change })}</div>
      ${removeButton(name, () => set(items.filter((_, at) => at !== place)))}
    </div>`;
  };
  return html`<fieldset class="stack" data-path=${path}>
    ${legend(field)} ${items.map(item)}
    ${addButton(field, () => set([...items, emptyDraft(field.item(items.length))]))}
  </fieldset>`;
}

function legend(field: Field): TemplateResult {
  const mark = field.required
    ? html` <span class="required" aria-hidden="true">*</span><span class="sr">${t("required")}</span>`
    : nothing;
  return html`<legend class="label">${labelOf(field)}${mark}</legend>
    ${field.hint ? html`<p class="muted">${cut(field.hint, MAX_HINT)}</p>` : nothing}`;
}

function addButton(field: Field, click: () => void): TemplateResult {
  const name = t("addMember", labelOf(field));
  return html`<div><button type="button" data-add=${field.name} @click=${click}>${icon("add")}<span class="cut">${name}</span></button></div>`;
}

function removeButton(what: string, click: () => void): TemplateResult {
  const name = t("removeMember", what);
  return html`<button type="button" class="plain only-icon" aria-label=${name} title=${name} @click=${click}>${icon("close")}</button>`;
}
