/** Profiles that may be anything: stored, imported, from the form. */
import { usableMembers } from "../llm/settings.ts";
import { isCount, isRecord, recordsOf, textOf } from "../parse.ts";
import { BUILT_IN_AGENTS } from "./built-in.ts";
import type { AgentProfile, Skill } from "./profile.ts";

export interface ProfileProblem {
  field: "id" | "name" | "rules" | "skills" | "callsPerTurn" | "llm";
  /** What it should be. */
  message: string;
}

const ID = /^[a-zA-Z0-9_-]{1,32}$/;
const MAX_NAME = 60;
const MAX_RULES = 20_000;
const MAX_SKILLS = 20;
const MAX_CALLS = 1_000;

type Check = [
  field: ProfileProblem["field"],
  isGood: (profile: Record<string, unknown>) => boolean,
  message: string,
];

const CHECKS: Check[] = [
  ["id", ({ id }) => typeof id === "string" && ID.test(id), "The id has 1 to 32 letters, digits, _ or -."],
  ["id", ({ id }) => !isBuiltIn(id), "This id belongs to a built-in agent. Choose another one."],
  [
    "name",
    ({ name }) => isText(name, MAX_NAME) && name.trim() !== "",
    `Enter a name of at most ${MAX_NAME} characters.`,
  ],
  [
    "rules",
    ({ rules }) => isText(rules, MAX_RULES),
    `The rules are a text of at most ${MAX_RULES} characters.`,
  ],
  [
    "skills",
    ({ skills }) => areSkills(skills),
    `There are at most ${MAX_SKILLS} skills, each with a name and a text.`,
  ],
  [
    "callsPerTurn",
    ({ callsPerTurn }) => callsPerTurn === undefined || isCount(callsPerTurn, MAX_CALLS),
    `Tool calls a turn is a whole number from 1 to ${MAX_CALLS}, or empty.`,
  ],
  [
    "llm",
    ({ llm }) => llm === undefined || isOverride(llm),
    "The model's settings are not usable. Check each of them.",
  ],
];

export function isBuiltIn(id: unknown): boolean {
  return BUILT_IN_AGENTS.some((agent) => agent.id === id);
}

/** What is wrong with a profile of the user's. */
export function profileProblems(profile: unknown): ProfileProblem[] {
  const members = isRecord(profile) ? profile : {};
  return CHECKS.filter(([, isGood]) => !isGood(members)).map(([field, , message]) => ({ field, message }));
}

/** A profile of the user's, or `undefined` where it has problems. Unknown members and keys are left behind. */
export function parseProfile(stored: unknown): AgentProfile | undefined {
  if (!isRecord(stored) || profileProblems(stored).length > 0) return undefined;
  const llm = usableMembers(stored.llm);
  return {
    id: textOf(stored.id),
    name: textOf(stored.name),
    builtIn: false,
    rules: textOf(stored.rules),
    inheritGlobalRules: stored.inheritGlobalRules !== false,
    skills: recordsOf(stored.skills).map(parseSkill),
    ...(isCount(stored.callsPerTurn) ? { callsPerTurn: stored.callsPerTurn } : {}),
    ...(Object.keys(llm).length > 0 ? { llm } : {}),
  };
}

function parseSkill({ name, text }: Record<string, unknown>): Skill {
  return { name: textOf(name), text: textOf(text) };
}

function isText(value: unknown, max: number): value is string {
  return typeof value === "string" && value.length <= max;
}

function areSkills(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_SKILLS) return false;
  return value.every(
    (skill) => isRecord(skill) && isText(skill.name, MAX_NAME) && isText(skill.text, MAX_RULES),
  );
}

/** Each member that is there can be used; a key is dropped, and no problem. */
function isOverride(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const usable = usableMembers(value);
  const known = ["protocol", "baseUrl", "path", "model", "maxTokens"] as const;
  return known.every((field) => value[field] === undefined || usable[field] !== undefined);
}
