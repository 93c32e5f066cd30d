/** `openai-compat`: chat/completions over the official client. */
import { agentFetch } from "./client-options.ts";
import type { LlmAccess } from "./config.ts";
import { llmFailure } from "./failure.ts";
import type { ModelEvent, ModelRequest, ModelStream } from "./model.ts";
import { openAiEvents } from "./openai-events.ts";
import { openAiRequest } from "./openai-request.ts";

export function openAiStream(access: LlmAccess, fetcher: typeof fetch | undefined): ModelStream {
  return async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    try {
      const client = await openClient(access, fetcher);
      const body = openAiRequest(request, access);
      const chunks = await client.post<AsyncIterable<unknown>>(access.path, { body, stream: true, signal });
      yield* openAiEvents(chunks);
    } catch (cause) {
      throw llmFailure(cause, access, request.tools);
    }
  };
}

/** Read only when it is used: it is big. */
async function openClient(access: LlmAccess, fetcher: typeof fetch | undefined) {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    ...agentFetch(fetcher),
    baseURL: access.baseUrl,
    // It insists on a key; without one the header is taken out again.
    apiKey: access.key || "none",
    organization: null,
    project: null,
    ...(access.key === "" ? { defaultHeaders: { Authorization: null } } : {}),
  });
}
