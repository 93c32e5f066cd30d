/** One tool call to a provider, with what is done when the port falls in the middle of it. */
import { ChainFailure, errorResult, type ToolResult } from "../../contract/errors.ts";
import { isDeeperThan, jsonBytes, LIMITS } from "../../contract/limits.ts";
import { isRecord } from "../../contract/lumo.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import type { LiveSession } from "./live-session.ts";
import { NotSent } from "./port-transport.ts";
import {
  cancelledCall,
  outcomeUnknown,
  protocolFault,
  tooDeep,
  tooLarge,
  unknownProviderTool,
} from "./provider-errors.ts";

export interface CallRoute {
  /** The live session, opened at need. Throws a ChainFailure. */
  opened(): Promise<Pick<LiveSession, "call" | "closed">>;
  /** The tool as listed at this moment, after a fresh session perhaps no more. */
  tool(): PageTool | undefined;
}

/** `again`: nothing that matters can have happened, so a second attempt is allowed. */
type Attempt = { result: ToolResult; again: boolean };

type Args = Record<string, unknown>;

/** Runs one call; never rejects. A call is sent at most once, one of a read-only tool at most twice. */
export async function callProvider(
  publicName: string,
  route: CallRoute,
  args: Args,
  signal: AbortSignal,
): Promise<ToolResult> {
  const refused = argumentsFault(args);
  if (refused) return refused;
  const first = await attempt(publicName, route, args, signal);
  if (!first.again || signal.aborted) return first.result;
  return (await attempt(publicName, route, args, signal)).result;
}

/** Deeper arguments than these are refused before anything walks down them: the stack would end first. */
const MAX_DEPTH = 256;

function argumentsFault(args: Args): ToolResult | undefined {
  if (isDeeperThan(args, MAX_DEPTH)) return tooDeep(MAX_DEPTH);
  const bytes = jsonBytes(args);
  return bytes > LIMITS.args ? tooLarge("arguments", bytes, LIMITS.args, "no") : undefined;
}

async function attempt(
  publicName: string,
  route: CallRoute,
  args: Args,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const live = await orAborted(route.opened(), signal);
    const tool = route.tool();
    if (!tool) return final(unknownProviderTool(publicName));
    return await send(live, tool, args, signal);
  } catch (cause) {
    if (cause instanceof ChainFailure) return final(errorResult(cause.error));
    return final(signal.aborted ? cancelledCall("no") : protocolFault(String(cause)));
  }
}

async function send(
  live: Pick<LiveSession, "call" | "closed">,
  tool: PageTool,
  args: Args,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    return final(readResult(await live.call(tool.name, args, signal)));
  } catch (cause) {
    if (signal.aborted) return final(cancelledCall("unknown"));
    if (cause instanceof NotSent) return { result: outcomeUnknown(), again: true };
    if (live.closed) return { result: outcomeUnknown(), again: tool.annotations?.readOnlyHint === true };
    return final(protocolFault(cause instanceof Error ? cause.message : String(cause)));
  }
}

function final(result: ToolResult): Attempt {
  return { result, again: false };
}

/** The provider is not trusted: its result is bounded, and must have the one shape. */
function readResult(raw: unknown): ToolResult {
  if (!isRecord(raw) || !Array.isArray(raw.content)) return protocolFault("the result has no content");
  const bytes = jsonBytes(raw);
  return bytes > LIMITS.result ? tooLarge("result", bytes, LIMITS.result, "yes") : (raw as ToolResult);
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(new Error("aborted"));
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    work.then(resolve, reject);
  });
}
