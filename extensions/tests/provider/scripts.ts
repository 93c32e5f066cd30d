/** Userscript sources for tests. */

/** A source whose last line is `body`. */
export function sourceOf(name: string, body = "run();", match = "https://example.com/*"): string {
  return ["// ==UserScript==", `// @name ${name}`, `// @match ${match}`, "// ==/UserScript==", body].join(
    "\n",
  );
}

export const SENDER = "a".repeat(32);
export const OTHER = "b".repeat(32);
