/** The LLM's config in the store, its key apart. */
import { Notifier } from "../notifier.ts";
import { isCount, isOneOf, isRecord, textOf, webUrl } from "../parse.ts";
import { Serial } from "../serial.ts";
import { STORE_KEYS, type Store } from "../store.ts";
import { LLM_DEFAULTS, LLM_PROTOCOLS, type LlmAccess, type LlmConfig } from "./config.ts";

export interface LlmProblem {
  field: "protocol" | "baseUrl" | "path" | "model" | "maxTokens" | "key";
  /** What it should be. */
  message: string;
}

const MAX_TOKENS = 1_000_000;
const MAX_TEXT = 2_000;

const CHECKS: { [K in keyof LlmConfig]: { isGood: (value: unknown) => boolean; message: string } } = {
  protocol: {
    isGood: (value) => isOneOf(LLM_PROTOCOLS, value),
    message: `The protocol is one of ${LLM_PROTOCOLS.join(", ")}.`,
  },
  baseUrl: {
    isGood: (value) => isBaseUrl(value),
    message: "The base URL begins with http:// or https:// and has no query, fragment or password.",
  },
  path: {
    isGood: (value) => typeof value === "string" && /^\/[\w\-./~%:]*(\?[^#\s]*)?$/.test(value),
    message: "The path begins with /, for example /chat/completions.",
  },
  model: {
    isGood: (value) => typeof value === "string" && value.trim() !== "" && value.length <= MAX_TEXT,
    message: "Enter the model's name as its server knows it.",
  },
  maxTokens: {
    isGood: (value) => isCount(value, MAX_TOKENS),
    message: `Max tokens is a whole number from 1 to ${MAX_TOKENS}.`,
  },
};

function isBaseUrl(value: unknown): boolean {
  const url = webUrl(value);
  return url !== undefined && url.search === "" && url.hash === "" && String(value).length <= MAX_TEXT;
}

/** What is wrong with anything that claims to be a config (form, import, store). Unknown members are no fault. */
export function llmProblems(config: unknown): LlmProblem[] {
  const members = isRecord(config) ? config : {};
  const fields = Object.keys(CHECKS) as (keyof LlmConfig)[];
  return fields
    .filter((field) => !CHECKS[field].isGood(members[field]))
    .map((field) => ({ field, message: CHECKS[field].message }));
}

/** The members of a config that can be used as they are, and none besides: no key passes. */
export function usableMembers(config: unknown): Partial<LlmConfig> {
  const members = isRecord(config) ? config : {};
  const good = Object.entries(CHECKS).filter(([field, check]) => check.isGood(members[field]));
  return Object.fromEntries(good.map(([field]) => [field, members[field]]));
}

/** Header values: visible ASCII without blanks. */
export function keyProblem(key: string): string | undefined {
  if (/^[\x21-\x7e]*$/.test(key) && key.length <= MAX_TEXT) return undefined;
  return "A key has letters, digits and signs only, no blanks or line breaks. Copy it again.";
}

function originOf(config: LlmConfig): string {
  return new URL(config.baseUrl).origin;
}

function parseConfig(stored: unknown): LlmConfig {
  const members = usableMembers(stored);
  return { ...LLM_DEFAULTS[members.protocol ?? "openai-compat"], ...members };
}

export class LlmSettings {
  private readonly notifier = new Notifier();
  private readonly serial = new Serial();
  private key = "";
  private keyOrigin = "";
  config: LlmConfig = LLM_DEFAULTS["openai-compat"];

  private constructor(private readonly store: Store) {}

  static async open(store: Store): Promise<LlmSettings> {
    const settings = new LlmSettings(store);
    await settings.reload();
    return settings;
  }

  /** Whether a request of the config would carry a key. */
  get hasKey(): boolean {
    return this.access().key !== "";
  }

  /** For people: that there is a key, and nothing of it. */
  get maskedKey(): string {
    return this.hasKey ? "••••••••" : "";
  }

  /**
   * The config with an agent's override laid over it, and the key: `""` where the base URL is of another origin than
   * the one for which the key was entered. So no imported config or agent can send it elsewhere.
   */
  access(override: Partial<LlmConfig> = {}): LlmAccess {
    const config = { ...this.config, ...usableMembers(override) };
    return { ...config, key: originOf(config) === this.keyOrigin ? this.key : "" };
  }

  subscribe(listener: () => void): () => void {
    return this.notifier.subscribe(listener);
  }

  /** Stored values changed elsewhere. */
  reload(): Promise<void> {
    return this.serial.run(() => this.read());
  }

  private async read(): Promise<void> {
    const [config, key, keyOrigin] = await Promise.all([
      this.store.get(STORE_KEYS.llm),
      this.store.get(STORE_KEYS.llmKey),
      this.store.get(STORE_KEYS.llmKeyOrigin),
    ]);
    this.config = parseConfig(config);
    this.key = textOf(key);
    this.keyOrigin = textOf(keyOrigin) || originOf(this.config);
    this.notifier.notify();
  }

  /** `key`: `undefined` keeps the stored one, `""` removes it. Returns what is wrong; nothing is stored then. */
  async save(config: LlmConfig, key?: string): Promise<LlmProblem[]> {
    const problems = llmProblems(config);
    const wrongKey = key === undefined ? undefined : keyProblem(key);
    if (wrongKey !== undefined) problems.push({ field: "key", message: wrongKey });
    if (problems.length > 0) return problems;
    await this.serial.run(() => this.write(usableMembers(config) as LlmConfig, key));
    this.notifier.notify();
    return [];
  }

  private async write(config: LlmConfig, key: string | undefined): Promise<void> {
    this.config = config;
    await this.store.set(STORE_KEYS.llm, config);
    if (key !== undefined) await this.saveKey(key);
  }

  private async saveKey(key: string): Promise<void> {
    this.key = key;
    this.keyOrigin = originOf(this.config);
    await this.store.set(STORE_KEYS.llmKeyOrigin, this.keyOrigin);
    if (key === "") await this.store.remove(STORE_KEYS.llmKey);
    else await this.store.set(STORE_KEYS.llmKey, key);
  }
}
