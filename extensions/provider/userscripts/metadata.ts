/** The userscript metadata block: `// ==UserScript==` … `// ==/UserScript==`. */
import { isRecord } from "../../contract/lumo.ts";
import { isMatchPattern } from "./match-pattern.ts";

export type RunAt = "document_start" | "document_end" | "document_idle";

export interface Metadata {
  name: string;
  description?: string;
  /** `@version`, the author's own; not the store's count. */
  version?: string;
  matches: string[];
  excludeMatches: string[];
  runAt: RunAt;
  /** `false` with `@noframes`. */
  allFrames: boolean;
}

export type MetadataResult = { ok: true; metadata: Metadata } | { ok: false; problems: string[] };

const OPENING = /^[ \t]*\/\/[ \t]*==UserScript==[ \t]*$/m;
const CLOSING = /^[ \t]*\/\/[ \t]*==\/UserScript==[ \t]*$/m;
/** The value is trimmed afterwards: a lazy group here would take quadratic time on a long line of blanks. */
const LINE = /^[ \t]*\/\/[ \t]*@([\w:-]+)(?:[ \t](.*))?$/;
const MAX_TEXT = 200;
const MAX_MATCHES = 50;
/** Characters of one pattern: every listing carries all of them. */
const MAX_PATTERN = 500;

const RUN_AT: Record<string, RunAt> = {
  "document-start": "document_start",
  "document-end": "document_end",
  "document-idle": "document_idle",
};

/** Directives that would bring in code or pages that nobody saw here, and what to do instead. */
const REFUSED: Record<string, string> = {
  require: "Put the code into the script itself.",
  resource: "Put the data into the script itself.",
  include: "Use @match.",
  exclude: "Use @exclude-match.",
};

type Directive = [key: string, value: string];

function directives(source: string): Directive[] | undefined {
  const opening = OPENING.exec(source);
  const closing = CLOSING.exec(source);
  if (!opening || !closing || closing.index < opening.index) return undefined;
  const lines = source.slice(opening.index, closing.index).split(/\r?\n/);
  return lines.flatMap((line) => {
    const found = LINE.exec(line);
    return found ? [[found[1]!, (found[2] ?? "").trim()] as Directive] : [];
  });
}

/** The metadata of a source, or every reason why it has none that can be used. */
export function parseMetadata(source: string): MetadataResult {
  const found = directives(source);
  if (!found) {
    return {
      ok: false,
      problems: [
        "There is no metadata block. Begin with // ==UserScript== and end it with // ==/UserScript==.",
      ],
    };
  }
  const problems = [...new Set([...refusals(found), ...valueProblems(found)])];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, metadata: build(found) };
}

function refusals(found: Directive[]): string[] {
  return found.flatMap(([key, value]) => {
    if (Object.hasOwn(REFUSED, key)) return [`@${key} is not supported. ${REFUSED[key]}`];
    return key === "grant" && value !== "none"
      ? [`@grant ${value} is not supported. Use web APIs and @grant none.`]
      : [];
  });
}

function valueProblems(found: Directive[]): string[] {
  const problems = [];
  const name = first(found, "name");
  if (!name || name.length > MAX_TEXT) {
    problems.push(`@name is missing or longer than ${MAX_TEXT}. Give the script a name.`);
  }
  const runAt = first(found, "run-at");
  if (runAt !== undefined && !Object.hasOwn(RUN_AT, runAt)) {
    problems.push(`@run-at ${runAt} is not known. Use ${Object.keys(RUN_AT).join(", ")}.`);
  }
  return [...problems, ...matchProblems(all(found, "match"), all(found, "exclude-match"))];
}

function matchProblems(matches: string[], excluded: string[]): string[] {
  const problems = [...matches, ...excluded].flatMap(patternProblems);
  if (matches.length === 0) problems.push("There is no @match. Say on which pages the script runs.");
  if (matches.length + excluded.length > MAX_MATCHES) {
    problems.push(`There are more than ${MAX_MATCHES} patterns. Use fewer.`);
  }
  return problems;
}

function patternProblems(pattern: string): string[] {
  if (pattern.length > MAX_PATTERN) return [`A pattern is longer than ${MAX_PATTERN}. Use a shorter one.`];
  return isMatchPattern(pattern)
    ? []
    : [`${pattern} is no match pattern. Write one like https://example.com/*.`];
}

function all(found: Directive[], key: string): string[] {
  return found.filter(([name]) => name === key).map(([, value]) => value);
}

function first(found: Directive[], key: string): string | undefined {
  return all(found, key)[0];
}

function build(found: Directive[]): Metadata {
  const description = first(found, "description")?.slice(0, MAX_TEXT);
  const version = first(found, "version")?.slice(0, MAX_TEXT);
  return {
    name: first(found, "name")!,
    ...(description ? { description } : {}),
    ...(version ? { version } : {}),
    matches: all(found, "match"),
    excludeMatches: all(found, "exclude-match"),
    runAt: RUN_AT[first(found, "run-at") ?? "document-idle"]!,
    allFrames: first(found, "noframes") === undefined,
  };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Stored metadata, or `undefined` where it is not what `parseMetadata` makes. */
export function parseMetadataRecord(stored: unknown): Metadata | undefined {
  if (!isRecord(stored) || typeof stored.name !== "string") return undefined;
  const { name, description, version, matches, excludeMatches, runAt, allFrames } = stored;
  if (
    !isTextList(matches) ||
    !isTextList(excludeMatches) ||
    !Object.values(RUN_AT).includes(runAt as RunAt)
  ) {
    return undefined;
  }
  return {
    name,
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof version === "string" ? { version } : {}),
    matches,
    excludeMatches,
    runAt: runAt as RunAt,
    allFrames: allFrames !== false,
  };
}
