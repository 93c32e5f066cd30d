/** Names of a provider's tools, and which are refused by which rule. Mirrored by `webmcp_e2e.lumo.rules`. */
import { LUMO_LIMITS } from "./lumo.ts";

/** No `__` and no `_` at an end: otherwise `a__b` + `c` and `a` + `b__c` would be one name. */
export const NAMESPACE_PATTERN = "^[a-z](?:_?[a-z0-9])*$";
export const TOOL_NAME_PATTERN = "^[a-zA-Z][a-zA-Z0-9_-]{0,39}$";

/** Names of built-in servers. */
export const RESERVED_NAMESPACES = [
  "browser",
  "page",
  "file",
  "network",
  "devtools",
  "webmcp",
  "ext",
] as const;

/** Why a tool was rejected; shown beside it in the panel. */
export const NAME_RULES = {
  namespace: "The namespace must match ^[a-z](?:_?[a-z0-9])*$ and have at most 16 characters",
  reserved: "The namespace is reserved for built-in tools",
  namespace_taken: "The namespace belongs to another provider that had it first",
  too_many: "A provider may have at most 64 tools; the first 64 stay",
  tool_name: "A tool's name must match ^[a-zA-Z][a-zA-Z0-9_-]{0,39}$",
  combined: "<namespace>__<tool> may have at most 57 characters",
  collision: "Another tool already has this name; the first one keeps it",
} as const;

export type NameRule = keyof typeof NAME_RULES;

const namespacePattern = new RegExp(NAMESPACE_PATTERN);
const toolNamePattern = new RegExp(TOOL_NAME_PATTERN);

/** `<namespace>__<tool>`: what the limit of 57 is about. */
export function combinedName(namespace: string, tool: string): string {
  return `${namespace}__${tool}`;
}

/** The name that a model sees. */
export function modelName(namespace: string, tool: string): string {
  return `ext__${combinedName(namespace, tool)}`;
}

export function namespaceProblem(namespace: string): NameRule | undefined {
  const fits = namespacePattern.test(namespace) && namespace.length <= LUMO_LIMITS.namespaceChars.value;
  if (!fits) return "namespace";
  return (RESERVED_NAMESPACES as readonly string[]).includes(namespace) ? "reserved" : undefined;
}

export function toolProblem(namespace: string, tool: string): NameRule | undefined {
  if (!toolNamePattern.test(tool)) return "tool_name";
  return combinedName(namespace, tool).length > LUMO_LIMITS.combinedChars.value ? "combined" : undefined;
}

/** Indexes into the listing, in its order. */
export interface Admission {
  accepted: number[];
  rejected: { index: number; rule: NameRule }[];
}

/**
 * Which tools of one provider's listing are taken over.
 *
 * `names`: in listing order, doubles included. `taken`: model-visible names of the servers before this one.
 * `owner`: the provider id that had the namespace first, `undefined` if nobody had it.
 */
export function admitTools(
  provider: { id: string; namespace: string; owner?: string | undefined },
  names: readonly string[],
  taken: ReadonlySet<string> = new Set(),
): Admission {
  const foreign = provider.owner !== undefined && provider.owner !== provider.id;
  const ofAll = namespaceProblem(provider.namespace) ?? (foreign ? ("namespace_taken" as const) : undefined);
  const seen = new Set(taken);
  const admission: Admission = { accepted: [], rejected: [] };
  for (const [index, name] of names.entries()) {
    const visible = modelName(provider.namespace, name);
    const rule = ofAll ?? ruleAgainst(provider.namespace, name, index, seen.has(visible));
    if (rule) admission.rejected.push({ index, rule });
    else {
      admission.accepted.push(index);
      seen.add(visible);
    }
  }
  return admission;
}

function ruleAgainst(namespace: string, name: string, index: number, taken: boolean): NameRule | undefined {
  if (index >= LUMO_LIMITS.toolsPerProvider.value) return "too_many";
  return toolProblem(namespace, name) ?? (taken ? "collision" : undefined);
}
