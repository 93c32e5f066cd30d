/** The reading tools. They cost nothing and are not audited. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isApproved, mayRun, type Review, readSource, type Script, sourceKey } from "../userscripts/model.ts";
import { notReadyReason } from "../userscripts/readiness.ts";
import { searchScript } from "../userscripts/search.ts";
import { callRefusal } from "./gate.ts";
import { dataResult, failureResult } from "./results.ts";
import { readStore, type Store } from "./store.ts";
import type { Arguments, ToolName } from "./tools.ts";

/** What a host sees of a script. `runs`: whether it runs on its pages at present. */
function summary(script: Script, review: boolean, ready: boolean): Record<string, unknown> {
  const { name, description, version, matches, excludeMatches, runAt } = script.metadata;
  return {
    uuid: script.uuid,
    name,
    description,
    authorVersion: version,
    version: script.version,
    enabled: script.enabled,
    approved: isApproved(script),
    runs: ready && mayRun(script, review),
    matches,
    excludeMatches,
    runAt,
    updatedAt: script.updatedAt,
  };
}

function waiting(review: Review): Record<string, unknown> {
  return {
    reviewId: review.id,
    kind: review.kind,
    uuid: review.uuid,
    name: review.metadata.name,
    at: review.at,
  };
}

export interface ReadCall {
  tool: ToolName;
  senderId: string;
  args: Arguments;
  argumentsProblem: string | undefined;
}

/** Runs a reading tool under the policy of this moment. */
export async function performRead(call: ReadCall): Promise<CallToolResult> {
  const [store, reason] = await Promise.all([readStore(), notReadyReason()]);
  const denied = callRefusal(store, call.senderId);
  if (denied) return denied;
  if (call.argumentsProblem) return failureResult("invalid_args", call.argumentsProblem);
  if (call.tool === "list_scripts") return listScripts(store, call.senderId, reason);
  return call.tool === "get_script"
    ? getScript(store, String(call.args.uuid), reason)
    : searchScripts(store, String(call.args.query));
}

function listScripts(store: Store, senderId: string, reason: string | undefined): CallToolResult {
  const ready = reason === undefined;
  return dataResult({
    scripts: store.scripts.map((script) => summary(script, store.policy.review, ready)),
    waiting: store.reviews.filter((review) => review.senderId === senderId).map(waiting),
    ...(ready ? {} : { notReady: reason }),
  });
}

async function getScript(store: Store, uuid: string, reason: string | undefined): Promise<CallToolResult> {
  const script = store.scripts.find((one) => one.uuid === uuid);
  if (!script)
    return failureResult(
      "invalid_args",
      `There is no script ${uuid}. List the scripts and use one of their uuids.`,
    );
  const source = await readSource(sourceKey(uuid));
  return dataResult({ ...summary(script, store.policy.review, reason === undefined), source });
}

async function searchScripts(store: Store, query: string): Promise<CallToolResult> {
  const sources = await chrome.storage.local.get(store.scripts.map((script) => sourceKey(script.uuid)));
  const hits = store.scripts.flatMap((script) =>
    searchScript(script, String(sources[sourceKey(script.uuid)] ?? ""), query),
  );
  return dataResult({ hits });
}
