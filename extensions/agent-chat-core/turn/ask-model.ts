/** One request to the model: its answer grows in the turn as it comes. */
import { type BackoffOptions, withBackoff } from "../llm/backoff.ts";
import type { ModelCall, ModelRequest, ModelStream } from "../llm/model.ts";
import { jsonRecord } from "../parse.ts";
import type { TurnDraft } from "../session/draft.ts";
import type { ToolCallRecord } from "../session/session.ts";
import type { ToolCatalogue } from "../tools/catalogue.ts";
import { badgeOf } from "../tools/tool.ts";

export interface AskOptions extends Pick<BackoffOptions, "timings"> {
  stream: ModelStream;
  catalogue: ToolCatalogue;
  signal: AbortSignal;
  /** Ids that the session has already. */
  takenIds: Set<string>;
}

/** Adds a message to the turn; it is `done` with all its calls, or `interrupted` when this throws. */
export async function askModel(draft: TurnDraft, request: ModelRequest, options: AskOptions): Promise<void> {
  const { stream, signal, timings } = options;
  const calls: ToolCallRecord[] = [];
  let cut = false;
  draft.addMessage();
  try {
    const waiting: BackoffOptions["waiting"] = (backoff) => draft.setBackoff(backoff);
    for await (const event of withBackoff(stream, request, signal, { timings, waiting })) {
      if (event.type === "text") draft.addText(event.text);
      else if (event.type === "call") calls.push(recordOf(event.call, options));
      else cut = event.cut;
    }
    draft.setMessage({ status: "done", calls, ...(cut ? { cut } : {}) });
  } catch (cause) {
    draft.setMessage({ status: "interrupted" });
    throw cause;
  }
}

function recordOf(call: ModelCall, { catalogue, takenIds }: AskOptions): ToolCallRecord {
  const tool = catalogue.tools.find(({ name }) => name === call.name);
  const kind = tool?.kind ?? kindByName(call.name);
  const args = jsonRecord(call.args.trim() === "" ? "{}" : call.args);
  return {
    id: freshId(call.id, takenIds),
    name: call.name,
    kind,
    badge: badgeOf(kind),
    source: tool?.source ?? "",
    args: args ?? {},
    ...(args ? {} : { badArgs: call.args }),
    status: "pending",
  };
}

/** The model's own, if servers of both protocols take it and it is new. */
function freshId(id: string, taken: Set<string>): string {
  const isGood = /^[a-zA-Z0-9_-]{1,64}$/.test(id) && !taken.has(id);
  const fresh = isGood ? id : `call_${crypto.randomUUID()}`;
  taken.add(fresh);
  return fresh;
}

/** Of a tool that is not there any more. */
function kindByName(name: string): ToolCallRecord["kind"] {
  if (name.startsWith("a2a__")) return "a2a";
  if (name.startsWith("ext__")) return "provider";
  return name.startsWith("chrome_extension_") ? "builtin" : "page";
}
