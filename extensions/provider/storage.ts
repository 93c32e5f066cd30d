/** What is stored, read through parsers: nothing in storage is trusted before it was looked at. */

/** One key of a storage area and how its value is read; `parse` gets `undefined` where nothing is stored. */
export interface Cell<T> {
  readonly key: string;
  parse(stored: unknown): T;
}

type Values<Cells> = { [K in keyof Cells]: Cells[K] extends Cell<infer T> ? T : never };

/** All cells' values from one read of the area. */
export async function readCells<Cells extends Record<string, Cell<unknown>>>(
  cells: Cells,
  area: chrome.storage.StorageArea = chrome.storage.local,
): Promise<Values<Cells>> {
  const stored = await area.get(Object.values(cells).map((cell) => cell.key));
  return parseCells(cells, stored);
}

/** As `readCells`, from what was read already. */
export function parseCells<Cells extends Record<string, Cell<unknown>>>(
  cells: Cells,
  stored: Record<string, unknown>,
): Values<Cells> {
  const values = Object.entries(cells).map(([name, cell]) => [name, cell.parse(stored[cell.key])]);
  return Object.fromEntries(values) as Values<Cells>;
}

/** The items of a stored list that `parse` accepts. */
export function parseList<T>(stored: unknown, parse: (item: unknown) => T | undefined): T[] {
  if (!Array.isArray(stored)) return [];
  return stored.map(parse).filter((item): item is T & {} => item !== undefined);
}
