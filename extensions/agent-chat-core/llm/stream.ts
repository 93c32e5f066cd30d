/** A model of either protocol. */
import { anthropicStream } from "./anthropic.ts";
import type { LlmAccess } from "./config.ts";
import type { ModelStream } from "./model.ts";
import { openAiStream } from "./openai.ts";
import { withSilenceLimit } from "./silence.ts";

/** `silence` in milliseconds: a model that sends nothing for so long is given up. */
export function modelStream(access: LlmAccess, silence: number, fetcher?: typeof fetch): ModelStream {
  const open = access.protocol === "anthropic" ? anthropicStream : openAiStream;
  const stream = open(access, fetcher);
  return (request, outer) => withSilenceLimit((signal) => stream(request, signal), outer, silence);
}
