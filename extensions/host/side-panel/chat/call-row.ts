/**
 * One tool call of the trace: a line that folds out. Part of its turn's own tree: a thousand elements with a tree each
 * would make scrolling slow.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import type { CallStatus, ToolCallRecord } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import type { Look } from "../ui/parts.ts";
import { durationText, errorCodeOf } from "./format.ts";
import "./call-detail.ts";
import "./consent-question.ts";

const LOOKS: Record<CallStatus, Look> = {
  pending: "quiet",
  consent: "warn",
  running: "accent",
  done: "good",
  denied: "warn",
  refused: "bad",
  cancelled: "warn",
  outcome_unknown: "bad",
};
const KIND_LOOKS: Record<ToolCallRecord["badge"], Look> = { TOOL: "accent", EXT: "good", A2A: "warn" };

export const callStyle = css`
  .call { border: 1px solid var(--line); border-radius: var(--radius-m); background: var(--surface); }
  .call > summary { display: flex; align-items: center; gap: var(--space-2); padding: 4px var(--space-2); list-style: none; }
  .call > summary::-webkit-details-marker { display: none; }
  .call .name { flex: 1; font-family: var(--mono); font-size: var(--text-s); }
  .call .kind { border-radius: var(--radius-s); line-height: 16px; padding: 0 5px; }
`;

/** `toggle` is told whether the call is open now; only then its inside is made. */
export function callRow(
  call: ToolCallRecord,
  open: boolean,
  toggle: (open: boolean) => void,
): TemplateResult {
  const { name, badge, status, duration, result } = call;
  const code = errorCodeOf(result);
  return html`
    <details class="call" data-testid="tool-call" data-kind=${badge} data-tool=${name} data-state=${status}
      data-duration=${duration === undefined ? nothing : Math.round(duration)} data-error=${code ?? nothing}
      @toggle=${(event: Event) => toggle((event.target as HTMLDetailsElement).open)}
    >
      <summary>
        <span class="kind badge ${KIND_LOOKS[badge]}">${badge}</span>
        <span class="name cut" title=${name}>${name}</span>
        <span class="badge ${code === undefined ? LOOKS[status] : "bad"}">${ending(call, code)}</span>
      </summary>
      ${open ? html`<lumo-call-detail .call=${call}></lumo-call-detail>` : nothing}
    </details>
    ${status === "consent" ? html`<lumo-consent .call=${call}></lumo-consent>` : nothing}
  `;
}

function ending({ status, duration }: ToolCallRecord, code: string | undefined): string {
  const took = duration === undefined ? "" : durationText(duration);
  if (status !== "done") return code && code !== status ? code : t(`call_${status}`);
  return [code, took || (code ? "" : t("call_done"))].filter(Boolean).join(" · ");
}
