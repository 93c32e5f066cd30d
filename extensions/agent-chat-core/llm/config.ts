/** Where the model is. */
export const LLM_PROTOCOLS = ["openai-compat", "anthropic"] as const;
export type LlmProtocol = (typeof LLM_PROTOCOLS)[number];

export interface LlmConfig {
  protocol: LlmProtocol;
  /** `http:` or `https:`, for example `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Appended to the base URL, for example `/chat/completions`. */
  path: string;
  model: string;
  /** Tokens of one answer. */
  maxTokens: number;
}

/** With the key, which is stored apart and never exported. */
export interface LlmAccess extends LlmConfig {
  key: string;
}

/** What the vendor's own server needs; the model is the user's choice. */
export const LLM_DEFAULTS: Readonly<Record<LlmProtocol, LlmConfig>> = {
  "openai-compat": {
    protocol: "openai-compat",
    baseUrl: "https://api.openai.com/v1",
    path: "/chat/completions",
    model: "",
    maxTokens: 4_096,
  },
  anthropic: {
    protocol: "anthropic",
    baseUrl: "https://api.anthropic.com",
    path: "/v1/messages",
    model: "",
    maxTokens: 4_096,
  },
};
