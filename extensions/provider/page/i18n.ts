/** Texts of `_locales` in the browser's language. */
import type english from "../_locales/en/messages.json";

export type MessageKey = keyof typeof english;

/** The message, its placeholders filled in order. */
export function t(key: MessageKey, ...fillings: (string | number)[]): string {
  return chrome.i18n.getMessage(key, fillings.map(String)) || key;
}

/** A stored ISO time in the reader's own form. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf()) ? iso : time.toLocaleString(t("languageTag"));
}
