/** The stream of `chat/completions` as model events. Servers that only resemble OpenAI's are taken as they are. */
import { isRecord, recordsOf, textOf } from "../parse.ts";
import { brokenOff, brokenProtocol } from "./failure.ts";
import type { ModelCall, ModelEvent } from "./model.ts";

/** Chunks are anything: the server may be. */
export async function* openAiEvents(chunks: AsyncIterable<unknown>): AsyncGenerator<ModelEvent> {
  const calls = new PartialCalls();
  let finish = "";
  for await (const chunk of chunks) {
    const choice = choiceOf(chunk);
    if (!choice) continue;
    const delta = isRecord(choice.delta) ? choice.delta : {};
    const text = textOf(delta.content) || textOf(delta.refusal);
    if (text !== "") yield { type: "text", text };
    for (const part of recordsOf(delta.tool_calls)) calls.add(part);
    finish = textOf(choice.finish_reason) || finish;
  }
  if (finish === "") throw brokenOff();
  // A call that max tokens cut short is no call.
  if (finish !== "length") for (const call of calls.whole()) yield { type: "call", call };
  yield { type: "end", cut: finish === "length" };
}

/** The first choice; a chunk of usage has none. */
function choiceOf(chunk: unknown): Record<string, unknown> | undefined {
  if (!isRecord(chunk) || !Array.isArray(chunk.choices)) throw brokenProtocol("a chunk has no choices");
  return recordsOf(chunk.choices)[0];
}

/** Tool calls come in pieces, told apart by `index`; without one a new id begins a new call. */
class PartialCalls {
  private readonly byIndex = new Map<number, ModelCall>();

  add(part: Record<string, unknown>): void {
    const call = this.at(this.indexOf(part));
    const named = isRecord(part.function) ? part.function : {};
    call.id ||= textOf(part.id);
    call.name ||= textOf(named.name);
    call.args += textOf(named.arguments);
  }

  whole(): ModelCall[] {
    return [...this.byIndex.keys()].sort((a, b) => a - b).map((index) => this.at(index));
  }

  private indexOf({ index, id }: Record<string, unknown>): number {
    if (typeof index === "number") return index;
    const last = this.byIndex.size - 1;
    return last < 0 || (typeof id === "string" && id !== this.at(last).id) ? last + 1 : last;
  }

  private at(index: number): ModelCall {
    const known = this.byIndex.get(index);
    if (known) return known;
    const call = { id: "", name: "", args: "" };
    this.byIndex.set(index, call);
    return call;
  }
}
