/** Removes sources that nothing refers to: a worker may die between a deletion and the removal of its source. */
import { readCells } from "../storage.ts";
import { proposalKey, SCRIPT_CELLS, sourceKey } from "./model.ts";

const SOURCES = /^(source|proposal):/;

/** Call it serialised. */
export async function sweepSources(): Promise<void> {
  const [keys, { scripts, reviews }] = await Promise.all([
    chrome.storage.local.getKeys(),
    readCells(SCRIPT_CELLS),
  ]);
  const owned = new Set([
    ...scripts.map((script) => sourceKey(script.uuid)),
    ...reviews.map((review) => proposalKey(review.id)),
  ]);
  const orphans = keys.filter((key) => SOURCES.test(key) && !owned.has(key));
  if (orphans.length > 0) await chrome.storage.local.remove(orphans);
}
