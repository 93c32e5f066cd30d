/** Full-text search over the scripts. */
import type { Script } from "./model.ts";

export interface Hit {
  uuid: string;
  name: string;
  /** `name`, `description`, `match`, or the number of a source line, from 1. */
  where: string;
  text: string;
}

const HITS_PER_SCRIPT = 5;
const EXCERPT = 160;

function around(line: string, at: number): string {
  const from = Math.max(0, at - EXCERPT / 2);
  return line.slice(from, from + EXCERPT).trim();
}

/** Hits of one script, case ignored; at most five. */
export function searchScript(script: Script, source: string, query: string): Hit[] {
  const needle = query.toLowerCase();
  const { name, description = "", matches } = script.metadata;
  const places: [string, string][] = [
    ["name", name],
    ["description", description],
    ...matches.map((pattern): [string, string] => ["match", pattern]),
    ...source.split("\n").map((line, index): [string, string] => [String(index + 1), line]),
  ];
  const hits = places.flatMap(([where, text]) => {
    const at = text.toLowerCase().indexOf(needle);
    return at < 0 ? [] : [{ uuid: script.uuid, name, where, text: around(text, at) }];
  });
  return hits.slice(0, HITS_PER_SCRIPT);
}
