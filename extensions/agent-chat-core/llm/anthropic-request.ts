/** A request in the words of `messages`. */
import type Anthropic from "@anthropic-ai/sdk";
import { jsonRecord } from "../parse.ts";
import type { LlmAccess } from "./config.ts";
import type { ModelCall, ModelMessage, ModelRequest, ModelResult, ModelTool } from "./model.ts";

export type AnthropicRequest = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;

export function anthropicRequest(request: ModelRequest, { model, maxTokens }: LlmAccess): AnthropicRequest {
  return {
    model,
    stream: true,
    max_tokens: maxTokens,
    system: request.system,
    messages: merged(request.messages.map(messageOf)),
    ...(request.tools.length > 0 ? toolsOf(request) : {}),
  };
}

function toolsOf({ tools, mayCall }: ModelRequest): Pick<AnthropicRequest, "tools" | "tool_choice"> {
  return { tools: tools.map(toolOf), tool_choice: { type: mayCall ? "auto" : "none" } };
}

function toolOf({ name, description, schema }: ModelTool): Anthropic.Tool {
  return { name, description, input_schema: { ...schema, type: "object" } };
}

interface Message {
  role: "user" | "assistant";
  content: Block[];
}

function messageOf(message: ModelMessage): Message {
  if (message.role === "user") return { role: "user", content: textBlocks(message.text) };
  if (message.role === "tool") return { role: "user", content: message.results.map(resultBlock) };
  return { role: "assistant", content: [...textBlocks(message.text), ...message.calls.map(callBlock)] };
}

/** Neighbours of one role become one message; messages without content are refused, and left out. */
function merged(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  for (const { role, content } of messages) {
    const last = result.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) result.push({ role, content: [...content] });
  }
  return result;
}

/** A text of nothing but blanks is refused too. */
function textBlocks(text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function callBlock({ id, name, args }: ModelCall): Block {
  return { type: "tool_use", id, name, input: jsonRecord(args) ?? {} };
}

function resultBlock({ callId, text, isError }: ModelResult): Block {
  return { type: "tool_result", tool_use_id: callId, content: text, ...(isError ? { is_error: true } : {}) };
}
