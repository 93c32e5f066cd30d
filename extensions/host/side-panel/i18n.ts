/** Texts of `_locales`: in the browser's language, or in the one that the user chose. */

/** `auto`: the browser's. The others are folders of `_locales`. */
export const LANGUAGES = ["auto", "en", "zh_CN"] as const;
export type Language = (typeof LANGUAGES)[number];

type Messages = Record<string, { message: string } | undefined>;

/** `undefined`: the browser's own language, which needs no loading. */
let messages: Messages | undefined;
let chosen: Language = "auto";
const listeners = new Set<() => void>();

export function isLanguage(value: unknown): value is Language {
  return (LANGUAGES as readonly unknown[]).includes(value);
}

/** The message, its placeholders `$1`… filled in order; an unknown key shows itself, so that it is noticed. */
export function t(key: string, ...fillings: (string | number)[]): string {
  if (!messages) return chrome.i18n.getMessage(key, fillings.map(String)) || key;
  const entry = Object.hasOwn(messages, key) ? messages[key] : undefined;
  return entry ? fill(entry.message, fillings) : key;
}

/** Fills placeholders as `chrome.i18n` does: `$1` to `$9`, and `$$` for a dollar sign. */
export function fill(message: string, fillings: readonly (string | number)[]): string {
  return message.replace(/\$(\d|\$+)/g, (_, mark: string) =>
    mark.startsWith("$") ? mark : String(fillings[Number(mark) - 1] ?? ""),
  );
}

/** What `useLanguage` was given last. */
export function language(): Language {
  return chosen;
}

/**
 * The language that texts are in, as BCP 47: for `lang`, dates and numbers. The browser's own tag where that is the
 * same language, for its region (`chrome.i18n.getUILanguage` may name another language than the texts have).
 */
export function languageTag(): string {
  const tag = t("languageTag");
  return navigator.languages.find((one) => one === tag || one.startsWith(`${tag}-`)) ?? tag;
}

/** Shows everything in this language; a language whose file cannot be read leaves the present one. */
export async function useLanguage(wanted: Language): Promise<void> {
  if (wanted === chosen) return;
  messages = wanted === "auto" ? undefined : await load(wanted);
  chosen = wanted;
  nameDocument();
  for (const listener of listeners) listener();
}

/** Tells the document which language it is in. */
export function nameDocument(): void {
  document.documentElement.lang = languageTag();
  document.title = t("extensionName");
}

/** Called after each change of the language, until the returned function is. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function load(folder: Language): Promise<Messages> {
  const response = await fetch(chrome.runtime.getURL(`_locales/${folder}/messages.json`));
  return (await response.json()) as Messages;
}
