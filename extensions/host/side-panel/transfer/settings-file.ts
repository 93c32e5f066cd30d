/** Settings as a file: without keys and tokens; read back only where every member is as it should be. */
import { ImportRefused, record } from "./refusal.ts";
import type { SettingsSection, StorageChange } from "./section.ts";

export const FILE_FORMAT = "lumo-settings";
export const FILE_VERSION = 1;
/** UTF-8 bytes. */
export const MAX_FILE_BYTES = 1_000_000;

/** What an accepted file would change. */
export interface ImportPlan {
  /** Names of the sections in the file. */
  sections: string[];
  change: Required<StorageChange>;
}

/** The file's text, JSON: `{format, version, exportedAt, sections: {<name>: …}}`. */
export async function exportSettings(sections: readonly SettingsSection[]): Promise<string> {
  const stored = await chrome.storage.local.get<Record<string, unknown>>(keysOf(sections));
  const parts = sections.map((section) => [section.name, section.read(stored)] as const);
  const file = {
    format: FILE_FORMAT,
    version: FILE_VERSION,
    exportedAt: new Date().toISOString(),
    sections: Object.fromEntries(parts.filter(([, value]) => value !== undefined)),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Checks a file whole; changes nothing. Throws `ImportRefused`. */
export async function planImport(file: Blob, sections: readonly SettingsSection[]): Promise<ImportPlan> {
  if (file.size > MAX_FILE_BYTES) throw new ImportRefused("import_too_large");
  const contents = sectionsOf(parse(await file.text()), sections);
  const stored = await chrome.storage.local.get<Record<string, unknown>>(keysOf(sections));
  const named = sections.filter(({ name }) => contents[name] !== undefined);
  const changes = named.map((section) => section.apply(contents[section.name], stored, section.name));
  return { sections: named.map(({ name }) => name), change: merged(changes) };
}

/** Makes the changes of a plan: secrets go first, so that at no moment one stands beside a new address. */
export async function applyImport({ change }: ImportPlan): Promise<void> {
  if (change.remove.length > 0) await chrome.storage.local.remove([...change.remove]);
  await chrome.storage.local.set(change.set);
}

function keysOf(sections: readonly SettingsSection[]): string[] {
  return [...new Set(sections.flatMap(({ keys }) => keys))];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, refuseSecrets);
  } catch (cause) {
    if (cause instanceof ImportRefused) throw cause;
    throw new ImportRefused("import_not_json");
  }
}

/** Files of ours have no such members, so a file that has some is no file of ours: it must not look imported. */
function refuseSecrets(name: string, value: unknown): unknown {
  if (name === "__proto__") throw new ImportRefused("import_unknown_member", name);
  if (/^(api_?key|token|secret|password|authorization)$/i.test(name))
    throw new ImportRefused("import_has_secret", name);
  return value;
}

function sectionsOf(value: unknown, sections: readonly SettingsSection[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || !("format" in value) || value.format !== FILE_FORMAT)
    throw new ImportRefused("import_wrong_format");
  const file = record(value, "file", ["format", "version", "exportedAt", "sections"]);
  if (file.version !== FILE_VERSION) throw new ImportRefused("import_wrong_version");
  return record(
    file.sections,
    "sections",
    sections.map(({ name }) => name),
  );
}

function merged(changes: readonly StorageChange[]): Required<StorageChange> {
  const set = Object.assign({}, ...changes.map((change) => change.set ?? {})) as Record<string, unknown>;
  return { set, remove: changes.flatMap(({ remove }) => remove ?? []) };
}
