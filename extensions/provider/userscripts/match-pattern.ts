/** Chrome's match patterns, for the schemes on which userscripts may run. */

const PATTERN = /^(?:\*|https?):\/\/(?:\*|(?:\*\.)?[^\s/*:]+|\[[0-9a-f:.]+\])(?::(?:\*|\d{1,5}))?\/\S*$/i;

/** `<all_urls>`, or `<scheme>://<host>/<path>` with http, https or `*` as scheme. */
export function isMatchPattern(text: string): boolean {
  return text === "<all_urls>" || PATTERN.test(text);
}
