/** A turn that is being made. Each change replaces the turn and tells it: `more text` a few more words, or `all else`. */
import type { AssistantMessage, ToolCallRecord, Turn } from "./session.ts";

export type DraftChange = "more text" | "all else";

export class TurnDraft {
  constructor(
    public turn: Turn,
    private readonly changed: (turn: Turn, change: DraftChange) => void,
  ) {}

  set(change: Partial<Turn>): void {
    this.replace({ ...this.turn, ...change });
  }

  /** `undefined`: the member goes. */
  setBackoff(backoff: Turn["backoff"]): void {
    const { backoff: _, ...rest } = this.turn;
    this.replace(backoff ? { ...rest, backoff } : rest);
  }

  addMessage(): void {
    this.setMessages([...this.turn.messages, { status: "streaming", text: "", calls: [] }]);
  }

  get lastMessage(): AssistantMessage | undefined {
    return this.turn.messages.at(-1);
  }

  /** Of the last message. */
  setMessage(change: Partial<AssistantMessage>): void {
    const last = this.lastMessage;
    if (last) this.setMessages(this.turn.messages.with(-1, { ...last, ...change }));
  }

  /** To the last message. */
  addText(text: string): void {
    const last = this.lastMessage;
    if (!last) return;
    const messages = this.turn.messages.with(-1, { ...last, text: last.text + text });
    this.replace({ ...this.turn, messages }, "more text");
  }

  /** Of a call of the last message. */
  setCall(id: string, change: Partial<ToolCallRecord>): void {
    const calls = this.lastMessage?.calls ?? [];
    this.setMessage({ calls: calls.map((call) => (call.id === id ? { ...call, ...change } : call)) });
  }

  /** The last message where its stream did not come to its end. */
  dropUnfinished(): void {
    if (this.lastMessage?.status !== "done") this.setMessages(this.turn.messages.slice(0, -1));
  }

  private setMessages(messages: readonly AssistantMessage[]): void {
    this.replace({ ...this.turn, messages });
  }

  private replace(turn: Turn, change: DraftChange = "all else"): void {
    this.turn = turn;
    this.changed(turn, change);
  }
}
