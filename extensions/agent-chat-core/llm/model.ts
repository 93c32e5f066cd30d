/** One request to a model and its answer, in no protocol's words. */

/** A tool as the model is told of it; `schema` is cleaned for the protocol. */
export interface ModelTool {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

export interface ModelCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it; `""` stands for `{}`. May be broken. */
  args: string;
}

export interface ModelResult {
  callId: string;
  text: string;
  isError: boolean;
}

export type ModelMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly ModelCall[] }
  | { role: "tool"; results: readonly ModelResult[] };

export interface ModelRequest {
  system: string;
  /** Each `assistant` with calls is followed by the `tool` with exactly their results. */
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** `false`: the model has to answer in words. */
  mayCall: boolean;
}

/** `cut`: the answer stopped at max tokens. */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "call"; call: ModelCall }
  | { type: "end"; cut: boolean };

/**
 * Streams one answer: `text` as it comes, each `call` once it is whole, and `end` last. Throws an AgentFailure
 * (`llm_*`); after an abort it throws the signal's reason. One try: who wants more asks again.
 */
export type ModelStream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
