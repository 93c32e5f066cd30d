/** A remote agent as its form has it. */
import type { A2aDraft } from "../../../agent-chat-core/index.ts";

/** An empty token box keeps the stored token; the tick removes it. */
export function readDraft(form: FormData): A2aDraft {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const endpoint = text("endpoint");
  const token = form.has("removeToken") ? "" : text("token") || undefined;
  return {
    id: text("id"),
    cardUrl: text("cardUrl"),
    ...(endpoint === "" ? {} : { endpoint }),
    ...(token === undefined ? {} : { token }),
  };
}
