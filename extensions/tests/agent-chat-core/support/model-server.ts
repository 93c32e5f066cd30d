/** A model's server that answers by script, in either protocol, streaming. */
import type { ServerResponse } from "node:http";
import type { LlmProtocol } from "../../../agent-chat-core/index.ts";
import { type Received, sendJson, startServer } from "./http.ts";

export interface ScriptedCall {
  id?: string;
  name: string;
  /** An object, or text that is to be sent as it is. */
  args?: Record<string, unknown> | string;
}

export interface Answer {
  /** Each a delta of its own. */
  text?: string[];
  calls?: ScriptedCall[];
  /** Stopped at max tokens. */
  cut?: boolean;
  /** An error in place of a stream. */
  status?: number;
  error?: unknown;
  headers?: Record<string, string>;
  /** After the deltas: `close` ends the connection without an end, `hang` says nothing more. */
  ending?: "close" | "hang";
  /** Lines of the stream as they are. */
  raw?: string[];
  /** Called when the answer is under way. */
  begun?: () => void;
}

export interface ModelServer {
  url: string;
  requests: Received[];
  /** Connections that the client closed before their end. */
  aborted: number;
}

/** Answers in the order of the script; its last answer is repeated. */
export async function startModel(protocol: LlmProtocol, script: Answer[]): Promise<ModelServer> {
  const server: ModelServer = { url: "", requests: [], aborted: 0 };
  server.url = await startServer((received, response) => {
    const answer = script[Math.min(server.requests.length, script.length - 1)] ?? {};
    server.requests.push(received);
    response.on("close", () => {
      if (!response.writableEnded) server.aborted += 1;
    });
    if (answer.status !== undefined) sendJson(response, answer.error, answer.status, answer.headers);
    else stream(protocol, answer, response);
  });
  return server;
}

function stream(protocol: LlmProtocol, answer: Answer, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = answer.raw ?? (protocol === "anthropic" ? anthropicLines(answer) : openAiLines(answer));
  const kept = answer.ending ? lines.slice(0, -ENDINGS) : lines;
  response.write(kept.join(""));
  answer.begun?.();
  if (answer.ending === "close") response.socket?.end();
  else if (answer.ending !== "hang") response.end();
}

/** Lines that tell the end, in both protocols. */
const ENDINGS = 2;

function argsText(args: ScriptedCall["args"]): string {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}

/** In two pieces, as servers do. */
function halves(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function openAiLines({ text = [], calls = [], cut }: Answer): string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const callChunks = calls.flatMap(({ id, name, args }, index) => {
    const [head, tail] = halves(argsText(args));
    const first = { index, id: id ?? `call_${index}`, type: "function", function: { name, arguments: head } };
    return [
      chunk({ tool_calls: [first] }),
      chunk({ tool_calls: [{ index, function: { arguments: tail } }] }),
    ];
  });
  const finish = cut ? "length" : calls.length > 0 ? "tool_calls" : "stop";
  return [
    chunk({ role: "assistant", content: "" }),
    ...text.map((content) => chunk({ content })),
    ...callChunks,
    chunk({}, finish),
    "data: [DONE]\n\n",
  ];
}

function anthropicLines({ text = [], calls = [], cut }: Answer): string[] {
  const event = (type: string, body: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const textLines = [
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...text.map((part) =>
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: part } }),
    ),
    event("content_block_stop", { index: 0 }),
  ];
  const callLines = calls.flatMap(({ id, name, args }, at) => {
    const index = at + 1;
    const block = { type: "tool_use", id: id ?? `toolu_${at}`, name, input: {} };
    const delta = (partial_json: string) =>
      event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json } });
    return [
      event("content_block_start", { index, content_block: block }),
      ...halves(argsText(args)).map(delta),
      event("content_block_stop", { index }),
    ];
  });
  const reason = cut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
  const message = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    event("message_start", { message }),
    event("ping", {}),
    ...(text.length > 0 ? textLines : []),
    ...callLines,
    event("message_delta", {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 1 },
    }),
    event("message_stop", {}),
  ];
}
