/** One part of a settings file. */

/** What `chrome.storage.local` holds under a section's keys. */
export type Stored = Record<string, unknown>;

/** How an import changes `chrome.storage.local`; the changes of all sections are made together or not at all. */
export interface StorageChange {
  set?: Record<string, unknown>;
  remove?: readonly string[];
}

export interface SettingsSection {
  /** The member in the file; `section_<name>` is its name for people. */
  readonly name: string;
  /** Keys of `chrome.storage.local` that `read` and `apply` are given. */
  readonly keys: readonly string[];
  /** What the file gets; never a key or token. `undefined`: nothing to export. */
  read(stored: Stored): unknown;
  /**
   * Checks what a file has and says what to store; must not store anything itself. Throws `ImportRefused` for
   * anything unexpected, whatever its size or shape. A stored key or token must not go to a server that the file
   * names: where an address changes, remove the secret that belongs to it.
   */
  apply(value: unknown, stored: Stored, where: string): StorageChange;
}
