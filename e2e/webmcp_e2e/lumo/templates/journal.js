// What a scripted extension received and did. It is in chrome.storage.local, so it outlives every worker.
import { BEHAVIOUR } from "./behaviour.js";

const journal = [];
export let behaviour = BEHAVIOUR;

export let isLoaded = false;

/** Resolves when the journal of earlier workers and the present behaviour are here. */
export const loaded = chrome.storage.local.get(["journal", "behaviour"]).then((stored) => {
  journal.unshift(...(stored.journal ?? []));
  behaviour = stored.behaviour ?? BEHAVIOUR;
  isLoaded = true;
  return record("started");
});

export async function reread() {
  await loaded;
  behaviour = (await chrome.storage.local.get("behaviour")).behaviour ?? BEHAVIOUR;
}

/** Resolves when the entry is stored: what is done after it cannot be missing from the journal. */
export function record(kind, data = {}) {
  journal.push({ seq: journal.length + 1, at: Date.now(), kind, ...data });
  return chrome.storage.local.set({ journal });
}

export function count(kind, test = () => true) {
  return journal.filter((entry) => entry.kind === kind && test(entry)).length;
}

/** The step for the n-th time (from 0): a list is a plan whose last step stays, anything else is every step. */
export function step(plan, n) {
  return Array.isArray(plan) ? plan[Math.min(n, plan.length - 1)] : plan;
}

export const after = (ms) => new Promise((done) => setTimeout(done, ms));
