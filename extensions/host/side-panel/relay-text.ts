/** How the relay's state reads and looks. */
import type { RelayPhase, RelayStatus } from "../../contract/panel.ts";
import { EXTENSION_SOURCE } from "../../contract/relay-wire.ts";
import { t } from "./i18n.ts";
import type { Look } from "./ui/parts.ts";

const LOOKS: Record<RelayPhase, Look> = {
  connected: "good",
  connecting: "warn",
  scanning: "warn",
  waiting: "quiet",
  off: "quiet",
  invalid: "bad",
  rejected: "bad",
};

/** `undefined` status: the worker sleeps, so nothing is connected. */
export function phaseLook(status: RelayStatus | undefined): { text: string; look: Look } {
  if (!status) return { text: t("phase_asleep"), look: "quiet" };
  return { text: t(`phase_${status.phase}`), look: LOOKS[status.phase] };
}

/** A source's id as a person knows it. */
export function sourceName(id: string): string {
  return id === EXTENSION_SOURCE ? t("builtinSource") : t("tabNumber", id);
}
