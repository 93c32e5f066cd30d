/** Brings the browser's registered userscripts in line with the store. */
import { ACCESS_CELLS } from "../agent/policy.ts";
import { readCells } from "../storage.ts";
import { mayRun, readSource, SCRIPT_CELLS, type Script, sourceKey } from "./model.ts";

/** Alarm that tries again after a change whose registration did not happen. */
export const RESYNC_ALARM = "registrations";
/** Chrome's shortest. */
const RESYNC_MINUTES = 0.5;

type Registered = chrome.userScripts.RegisteredUserScript;

/** One id a source: a new version is a new registration, so comparing ids is enough. */
export function registrationId(script: Script): string {
  return `${script.uuid}@${script.version}`;
}

async function registrationOf(script: Script): Promise<Registered> {
  const { matches, excludeMatches, runAt, allFrames } = script.metadata;
  return {
    id: registrationId(script),
    matches,
    ...(excludeMatches.length > 0 ? { excludeMatches } : {}),
    runAt,
    allFrames,
    // a world of its own: scripts of different authors do not see one another
    world: "USER_SCRIPT",
    worldId: script.uuid,
    js: [{ code: await readSource(sourceKey(script.uuid)) }],
  };
}

export interface SyncPlan {
  remove: string[];
  add: Script[];
}

/** What has to change so that exactly the scripts that may run are registered. */
export function planSync(
  scripts: readonly Script[],
  review: boolean,
  registered: readonly string[],
): SyncPlan {
  const wanted = scripts.filter((script) => mayRun(script, review));
  const ids = new Set(wanted.map(registrationId));
  return {
    remove: registered.filter((id) => !ids.has(id)),
    add: wanted.filter((script) => !registered.includes(registrationId(script))),
  };
}

async function present(): Promise<string[] | undefined> {
  try {
    return (await chrome.userScripts.getScripts()).map((script) => script.id);
  } catch {
    return undefined;
  }
}

/** Scripts that Chrome would not take, by uuid: its message. Shown on the page. */
export const REFUSED_KEY = "refusedRegistrations";

async function register(scripts: readonly Script[]): Promise<void> {
  const refused: Record<string, string> = {};
  for (const script of scripts) {
    try {
      await chrome.userScripts.register([await registrationOf(script)]);
    } catch (error) {
      refused[script.uuid] = error instanceof Error ? error.message : String(error);
    }
  }
  await chrome.storage.session.set({ [REFUSED_KEY]: refused });
}

/** Call it serialised. `false` where the browser's toggle is off: the browser runs none of our scripts then. */
export async function syncRegistrations(): Promise<boolean> {
  const registered = await present();
  if (!registered) return false;
  const { scripts, policy } = await readCells({ scripts: SCRIPT_CELLS.scripts, policy: ACCESS_CELLS.policy });
  const plan = planSync(scripts, policy.review, registered);
  if (plan.remove.length > 0) await chrome.userScripts.unregister({ ids: plan.remove });
  if (plan.add.length > 0) await register(plan.add);
  await chrome.alarms.clear(RESYNC_ALARM);
  return true;
}

/**
 * Runs a change of what may run, then brings the registrations in line. The alarm is set before: should the worker die
 * in between, or the toggle be off (old registrations come back with it, and no event tells of that), it tries again
 * until a sync has succeeded.
 */
export async function withSync(change: () => Promise<void>): Promise<void> {
  await chrome.alarms.create(RESYNC_ALARM, { periodInMinutes: RESYNC_MINUTES });
  await change();
  await syncRegistrations();
}
