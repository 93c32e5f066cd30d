/** How a provider's state and its rejected tools read, in the panel's language. */
import { HOST_ERROR_TEXTS, INVALID_ID } from "../../contract/lumo-state.ts";
import type { ProviderCode, ProviderView, RejectedProviderTool } from "../../contract/providers.ts";
import { t } from "./i18n.ts";
import type { Look } from "./ui/parts.ts";

const FIXED: Record<ProviderCode, string> = { ...HOST_ERROR_TEXTS, invalid_id: INVALID_ID.text };

/** The protocol's own texts are translated; what a provider says itself stays as it is. */
export function stateText({ state, code, text }: Pick<ProviderView, "state" | "code" | "text">): string {
  if (code === undefined || text === undefined) return t(`provider_${state}`);
  return text === FIXED[code] ? t(`provider_${code}`) : text;
}

export function stateLook({ state, code }: Pick<ProviderView, "state" | "code">): Look {
  if (state === "connected") return "good";
  if (state === "unknown") return "quiet";
  return code === "not_ready" || code === "pending_approval" ? "warn" : "bad";
}

/** What breaks a member's bound is said in the parser's words. */
export function ruleText({ rule, text }: RejectedProviderTool): string {
  return rule === "shape" ? text : t(`rule_${rule}`);
}

/** Ids in what was typed or pasted: one or many, separated by blanks, commas or lines. */
export function splitIds(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}
