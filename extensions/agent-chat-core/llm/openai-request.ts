/** A request in the words of `chat/completions`. */
import type OpenAI from "openai";
import type { LlmAccess } from "./config.ts";
import type { ModelCall, ModelMessage, ModelRequest, ModelTool } from "./model.ts";

export type OpenAiRequest = OpenAI.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.ChatCompletionMessageParam;

export function openAiRequest(
  request: ModelRequest,
  { model, maxTokens, baseUrl }: LlmAccess,
): OpenAiRequest {
  return {
    model,
    stream: true,
    messages: [{ role: "system", content: request.system }, ...request.messages.flatMap(messagesOf)],
    ...limitOf(maxTokens, baseUrl),
    ...(request.tools.length > 0 ? toolsOf(request) : {}),
  };
}

/** OpenAI's own models refuse the old name, other servers do not know the new one. */
function limitOf(maxTokens: number, baseUrl: string) {
  const isOpenAi = new URL(baseUrl).hostname === "api.openai.com";
  return isOpenAi ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens };
}

function toolsOf({ tools, mayCall }: ModelRequest): Pick<OpenAiRequest, "tools" | "tool_choice"> {
  return { tools: tools.map(toolOf), tool_choice: mayCall ? "auto" : "none" };
}

function toolOf({ name, description, schema }: ModelTool): OpenAI.ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: schema } };
}

function messagesOf(message: ModelMessage): Message[] {
  if (message.role === "user") return [{ role: "user", content: message.text }];
  if (message.role === "assistant") return [assistantOf(message.text, message.calls)];
  return message.results.map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
}

function assistantOf(text: string, calls: readonly ModelCall[]): Message {
  if (calls.length === 0) return { role: "assistant", content: text };
  return { role: "assistant", content: text === "" ? null : text, tool_calls: calls.map(callOf) };
}

function callOf({ id, name, args }: ModelCall): OpenAI.ChatCompletionMessageToolCall {
  return { id, type: "function", function: { name, arguments: args === "" ? "{}" : args } };
}
