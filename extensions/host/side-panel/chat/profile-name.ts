/** What an agent is called. */
import { isBuiltIn } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";

/** Built-ins have a name in each language, the user's the one that the user gave. */
export function profileName({ id, name }: { id: string; name: string }): string {
  return isBuiltIn(id) ? t(`profile_${id.replaceAll("-", "_")}`) : name;
}
