/** What a connection test came to. */
import type { TemplateResult } from "lit";
import type { A2aTest } from "../../../agent-chat-core/index.ts";
import { durationText } from "../chat/format.ts";
import { problemText } from "../chat/problem-text.ts";
import { t } from "../i18n.ts";
import { doneLine, errorLine } from "../ui/parts.ts";

export function testLine(outcome: A2aTest): TemplateResult {
  if (!outcome.ok) return errorLine(outcome.problem.code, problemText(outcome.problem), "a2a-test");
  const { name, protocol } = outcome.card;
  return doneLine(t("testGood", name, protocol, durationText(outcome.duration)), "a2a-test");
}
