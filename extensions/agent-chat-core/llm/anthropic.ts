/** `anthropic`: messages over the official client. */
import { anthropicEvents } from "./anthropic-events.ts";
import { anthropicRequest } from "./anthropic-request.ts";
import { agentFetch } from "./client-options.ts";
import type { LlmAccess } from "./config.ts";
import { llmFailure } from "./failure.ts";
import type { ModelEvent, ModelRequest, ModelStream } from "./model.ts";

export function anthropicStream(access: LlmAccess, fetcher: typeof fetch | undefined): ModelStream {
  return async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    try {
      const client = await openClient(access, fetcher);
      const body = anthropicRequest(request, access);
      const events = await client.post<AsyncIterable<unknown>>(access.path, { body, stream: true, signal });
      yield* anthropicEvents(events);
    } catch (cause) {
      throw llmFailure(cause, access, request.tools);
    }
  };
}

/** Read only when it is used: it is big. */
async function openClient(access: LlmAccess, fetcher: typeof fetch | undefined) {
  const { Anthropic } = await import("@anthropic-ai/sdk");
  return new Anthropic({
    ...agentFetch(fetcher),
    baseURL: access.baseUrl,
    // It insists on a key; without one the header is taken out again.
    apiKey: access.key || "none",
    authToken: null,
    ...(access.key === "" ? { defaultHeaders: { Authorization: null } } : {}),
  });
}
