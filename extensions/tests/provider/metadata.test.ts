import { describe, expect, it } from "vitest";
import { isMatchPattern } from "../../provider/userscripts/match-pattern.ts";
import { parseMetadata, parseMetadataRecord } from "../../provider/userscripts/metadata.ts";

function block(...lines: string[]): string {
  return ["// ==UserScript==", ...lines.map((line) => `// ${line}`), "// ==/UserScript==", "go();"].join(
    "\n",
  );
}

function problems(source: string): string {
  const parsed = parseMetadata(source);
  return parsed.ok ? "" : parsed.problems.join(" ");
}

describe("parseMetadata", () => {
  it("reads what it supports and ignores what is harmless", () => {
    const parsed = parseMetadata(
      block(
        "@name  Two words ",
        "@author me",
        "@version 1.2",
        "@description d",
        "@match https://a.example/*",
        "@match *://b.example/x*",
        "@exclude-match https://a.example/no",
        "@run-at document-start",
        "@noframes",
        "@grant none",
      ),
    );
    expect(parsed).toEqual({
      ok: true,
      metadata: {
        name: "Two words",
        version: "1.2",
        description: "d",
        matches: ["https://a.example/*", "*://b.example/x*"],
        excludeMatches: ["https://a.example/no"],
        runAt: "document_start",
        allFrames: false,
      },
    });
  });

  it("runs at document-idle in all frames unless told otherwise", () => {
    const parsed = parseMetadata(block("@name n", "@match <all_urls>"));
    expect(parsed).toMatchObject({ ok: true, metadata: { runAt: "document_idle", allFrames: true } });
  });

  it.each([
    ["go();", "metadata block"],
    ["// ==/UserScript==\n// ==UserScript==", "metadata block"],
    [block("@match https://a/*"), "@name"],
    [block("@name n"), "@match"],
    [block("@name n", "@match nonsense"), "nonsense is no match pattern"],
    [block("@name n", "@match https://a/*", "@exclude-match x"), "x is no match pattern"],
    [block("@name n", "@match https://a/*", "@run-at later"), "@run-at later"],
    [block("@name n", "@match https://a/*", "@require https://x/y.js"), "@require"],
    [block("@name n", "@match https://a/*", "@include *"), "@include"],
    [block("@name n", "@match https://a/*", "@grant GM_setValue"), "GM_setValue"],
    [block("@name n", ...Array.from({ length: 51 }, (_, at) => `@match https://a/${at}`)), "more than 50"],
    [block("@name n", `@match https://a/${"x".repeat(500)}`), "longer than 500"],
    [block("@name n", "@match https://a/*", "@run-at constructor"), "@run-at constructor"],
  ])("says what is wrong with %j", (source, part) => {
    expect(problems(source)).toContain(part);
  });

  it("ignores a directive that is only the name of something in JavaScript", () => {
    expect(parseMetadata(block("@name n", "@match https://a/*", "@constructor x", "@toString y")).ok).toBe(
      true,
    );
  });

  it("takes directives from the block only", () => {
    expect(problems(`${block("@name n")}\n// @match https://late.example/*`)).toContain("@match");
  });

  it("is linear in long lines of blanks", () => {
    const blanks = " ".repeat(400_000);
    expect(problems(block("@name n", `@match https://a/*${blanks}x`, `@x${blanks}y`))).toContain(
      "longer than",
    );
  });

  it("takes back what it stored, and nothing else", () => {
    const parsed = parseMetadata(block("@name n", "@match https://a/*"));
    const metadata = parsed.ok ? parsed.metadata : undefined;
    expect(parseMetadataRecord(structuredClone(metadata))).toEqual(metadata);
    for (const wrong of [null, [], {}, { ...metadata, matches: "x" }, { ...metadata, runAt: "later" }]) {
      expect(parseMetadataRecord(wrong)).toBeUndefined();
    }
  });
});

describe("isMatchPattern", () => {
  it.each([
    "<all_urls>",
    "*://*/*",
    "https://*.example.com/*",
    "http://127.0.0.1/*",
    "http://localhost:8080/a?b*",
    "http://[::1]/*",
    "https://example.com:*/",
  ])("takes %s", (pattern) => expect(isMatchPattern(pattern)).toBe(true));

  it.each([
    "",
    "*",
    "https://example.com",
    "https:///x",
    "https://a.*/x",
    "https://*a/x",
    "file:///x",
    "chrome://x/*",
    "javascript:x",
    "https://a b/*",
    "https://a/ b",
  ])("refuses %j", (pattern) => expect(isMatchPattern(pattern)).toBe(false));
});
