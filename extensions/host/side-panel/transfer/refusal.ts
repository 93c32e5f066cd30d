/** Checks of a settings file. Each passes what is right and refuses the file for anything else. */

/** Why a settings file is refused; the panel has a sentence for each. */
export type ImportCode =
  | "import_too_large"
  | "import_unreadable"
  | "import_not_json"
  | "import_wrong_format"
  | "import_wrong_version"
  | "import_unknown_member"
  | "import_has_secret"
  | "import_invalid";

/** Refuses the whole file. `where`: the member, as a path like `relay.ports`. */
export class ImportRefused extends Error {
  constructor(
    readonly code: ImportCode,
    readonly where: string = "",
  ) {
    super(`${code}: ${where}`);
  }
}

export function invalid(where: string): never {
  throw new ImportRefused("import_invalid", where);
}

/** A plain object with no members but these; one that is missing is `undefined`. */
export function record<K extends string>(
  value: unknown,
  where: string,
  members: readonly K[],
): Partial<Record<K, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) invalid(where);
  const unknown = Object.keys(value).find((name) => !(members as readonly string[]).includes(name));
  if (unknown !== undefined) throw new ImportRefused("import_unknown_member", `${where}.${unknown}`);
  return value as Partial<Record<K, unknown>>;
}

export function text(value: unknown, where: string, max: number): string {
  return typeof value === "string" && value.length <= max ? value : invalid(where);
}

export function flag(value: unknown, where: string): boolean {
  return typeof value === "boolean" ? value : invalid(where);
}

/** A whole number from `min` to `max`. */
export function whole(value: unknown, where: string, min: number, max: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
    ? value
    : invalid(where);
}

export function oneOf<T extends string>(value: unknown, where: string, choices: readonly T[]): T {
  return (choices as readonly unknown[]).includes(value) ? (value as T) : invalid(where);
}

/** Each entry checked by `check`, which is given its place. */
export function list<T>(
  value: unknown,
  where: string,
  max: number,
  check: (entry: unknown, where: string) => T,
): T[] {
  if (!Array.isArray(value) || value.length > max) invalid(where);
  return value.map((entry, index) => check(entry, `${where}[${index}]`));
}
