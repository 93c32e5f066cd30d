/** The sliding window of writes, per sender. In `storage.session`: a worker that dies resets nothing. */
import { admitWrite, type WriteAdmission } from "../../contract/lumo-audit.ts";

const keyOf = (senderId: string) => `writeWindow:${senderId}`;

function parseWindow(stored: unknown): number[] {
  return Array.isArray(stored) ? stored.filter((at): at is number => typeof at === "number") : [];
}

/** Counts a write at `now` if it passes; what it counted is stored when this resolves. Call it serialised. */
export async function countWrite(senderId: string, now: number): Promise<WriteAdmission> {
  const key = keyOf(senderId);
  const stored = await chrome.storage.session.get(key);
  const admission = admitWrite(parseWindow(stored[key]), now);
  if (admission.admitted) await chrome.storage.session.set({ [key]: admission.window });
  return admission;
}
