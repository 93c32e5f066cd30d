/** Bindings that may be anything: stored, imported, from the form. */
import { isRecord, textOf, webUrl } from "../parse.ts";
import type { A2aAgent, A2aDraft, DraftProblem } from "./binding.ts";

export const AGENT_ID = /^[a-zA-Z0-9_-]{1,32}$/;
const MAX_URL = 2_000;
const MAX_TOKEN = 8_000;

/** What is wrong with anything that claims to be a binding (import, store). */
export function a2aProblems(agent: unknown): DraftProblem[] {
  return draftProblems(draftOf(isRecord(agent) ? agent : {}), []);
}

/** One binding, or `undefined` where it has problems. Unknown members are left behind. */
export function parseA2aAgent(stored: unknown): A2aAgent | undefined {
  return a2aProblems(stored).length === 0 && isRecord(stored) ? draftOf(stored) : undefined;
}

/** What is wrong with a draft; `taken`: ids of other agents. */
export function draftProblems(draft: A2aDraft, taken: readonly string[]): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const add = (field: DraftProblem["field"], message: string) => problems.push({ field, message });
  if (!AGENT_ID.test(draft.id)) add("id", "The id has 1 to 32 letters, digits, _ or -.");
  if (taken.includes(draft.id)) add("id", `There is an agent ${draft.id} already. Choose another id.`);
  if (!isAddress(draft.cardUrl))
    add("cardUrl", "The card URL begins with http:// or https:// and has no password.");
  if (draft.endpoint !== undefined && !isAddress(draft.endpoint)) {
    add(
      "endpoint",
      "The endpoint begins with http:// or https:// and has no password. Leave it empty to use the card's.",
    );
  }
  if (draft.token !== undefined && !isToken(draft.token)) {
    add("token", "A token has letters, digits and signs only, no blanks or line breaks. Copy it again.");
  }
  return problems;
}

function isAddress(value: unknown): boolean {
  return webUrl(value) !== undefined && String(value).length <= MAX_URL;
}

function isToken(value: string): boolean {
  return value.length <= MAX_TOKEN && /^[\x21-\x7e]*$/.test(value);
}

/** Members that bindings have; an empty endpoint is none. */
export function bindingOf({ id, cardUrl, endpoint }: A2aAgent): A2aAgent {
  return { id, cardUrl, ...(endpoint ? { endpoint } : {}) };
}

/** Misshapen entries, and second ones of an id, are left out. */
export function parseBindings(stored: unknown): A2aAgent[] {
  const agents: A2aAgent[] = [];
  for (const entry of Array.isArray(stored) ? stored : []) {
    const agent = parseA2aAgent(entry);
    if (agent && agents.every(({ id }) => id !== agent.id)) agents.push(agent);
  }
  return agents;
}

function draftOf({ id, cardUrl, endpoint }: Record<string, unknown>): A2aAgent {
  return bindingOf({ id: textOf(id), cardUrl: textOf(cardUrl), endpoint: textOf(endpoint) });
}

export function parseTokens(stored: unknown): Record<string, string> {
  const entries = isRecord(stored) ? Object.entries(stored) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && isToken(entry[1])),
  );
}

/** Whether a token of one binding goes, with the other, to no place where it did not go before. */
export function isSamePlace(before: A2aAgent, after: A2aAgent): boolean {
  const known = placesOf(before);
  return placesOf(after).every((origin) => known.includes(origin));
}

function placesOf({ cardUrl, endpoint }: A2aAgent): string[] {
  return [cardUrl, ...(endpoint ? [endpoint] : [])].map((url) => new URL(url).origin);
}
