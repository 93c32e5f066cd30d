/** The number on the toolbar button: how much waits for the person. */
import { ACCESS_CELLS } from "./agent/policy.ts";
import { readCells } from "./storage.ts";
import { SCRIPT_CELLS } from "./userscripts/model.ts";

/** Call it after a change, not from `storage.onChanged`: that would wake the worker for every change. */
export async function refreshBadge(): Promise<void> {
  const { pending, reviews } = await readCells({
    pending: ACCESS_CELLS.pending,
    reviews: SCRIPT_CELLS.reviews,
  });
  const waiting = pending.length + reviews.length;
  await chrome.action.setBadgeText({ text: waiting === 0 ? "" : String(waiting) });
}
