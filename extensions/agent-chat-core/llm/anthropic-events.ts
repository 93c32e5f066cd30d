/** The stream of `messages` as model events. */
import { isRecord, textOf } from "../parse.ts";
import { brokenOff, brokenProtocol } from "./failure.ts";
import type { ModelCall, ModelEvent } from "./model.ts";

type Event = Record<string, unknown>;

/** Events are anything: the server may be. */
export async function* anthropicEvents(events: AsyncIterable<unknown>): AsyncGenerator<ModelEvent> {
  const answer = new PartialAnswer();
  for await (const event of events) {
    if (!isRecord(event)) throw brokenProtocol("an event is no object");
    const text = answer.take(event);
    if (text !== "") yield { type: "text", text };
  }
  if (!answer.ended) throw brokenOff();
  const cut = answer.stopReason === "max_tokens";
  // A call that max tokens cut short is no call.
  if (!cut) for (const call of answer.calls.values()) yield { type: "call", call };
  yield { type: "end", cut };
}

class PartialAnswer {
  /** By the index of their block. */
  readonly calls = new Map<unknown, ModelCall>();
  stopReason = "";
  ended = false;

  /** Returns the text that an event adds. */
  take(event: Event): string {
    const delta = isRecord(event.delta) ? event.delta : {};
    if (event.type === "content_block_start") return this.begin(event);
    if (event.type === "content_block_delta") return this.extend(event.index, delta);
    if (event.type === "message_delta") this.stopReason = textOf(delta.stop_reason) || this.stopReason;
    if (event.type === "message_stop") this.ended = true;
    return "";
  }

  private begin({ index, content_block: block }: Event): string {
    if (!isRecord(block)) throw brokenProtocol("a content block has no content");
    if (block.type === "tool_use") {
      this.calls.set(index, { id: textOf(block.id), name: textOf(block.name), args: startOf(block.input) });
    }
    return block.type === "text" ? textOf(block.text) : "";
  }

  private extend(index: unknown, delta: Event): string {
    const call = this.calls.get(index);
    if (call && delta.type === "input_json_delta") call.args += textOf(delta.partial_json);
    return delta.type === "text_delta" ? textOf(delta.text) : "";
  }
}

/** The input is empty at first and comes in deltas; some servers give it at once. */
function startOf(input: unknown): string {
  return isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : "";
}
