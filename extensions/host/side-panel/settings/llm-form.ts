/** The form of the language model, read. */
import type { LlmConfig, LlmProtocol } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";

/** `key`: `undefined` keeps the stored one, `""` removes it. Unchecked: the core says what is wrong. */
export interface LlmForm {
  config: LlmConfig;
  key: string | undefined;
}

export function readLlmForm(form: FormData): LlmForm {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const config: LlmConfig = {
    protocol: text("protocol") as LlmProtocol,
    baseUrl: text("baseUrl").replace(/\/+$/, ""),
    path: text("path"),
    model: text("model"),
    maxTokens: Number(text("maxTokens")),
  };
  return { config, key: form.has("removeKey") ? "" : text("key") || undefined };
}

export function protocolName(protocol: LlmProtocol): string {
  return t(`protocol_${protocol.replaceAll("-", "_")}`);
}
