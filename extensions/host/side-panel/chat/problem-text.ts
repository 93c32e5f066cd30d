/** What the core says about a problem, in the panel's language. */
import type { AgentProblem } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";

/** The core's sentence; in other languages than English a translated one by the code, with the core's behind it. */
export function problemText({ code, message }: AgentProblem): string {
  return t(`agent_problem_${code}`, message);
}
