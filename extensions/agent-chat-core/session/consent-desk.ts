/** Questions to the user that are open, and what is allowed for a session. */
import type { AgentTool } from "../tools/tool.ts";
import { orAbort } from "../waiting.ts";
import type { ToolCallRecord } from "./session.ts";

/** `session`: this tool is not asked about again in this session, until the panel closes. */
export type ConsentAnswer = "once" | "session" | "no";

export class ConsentDesk {
  private readonly open = new Map<string, (answer: ConsentAnswer) => void>();
  private readonly allowed = new Set<string>();

  /** Whether the call may run; at once where the session allows the tool. Rejects when the signal is aborted. */
  async ask(sessionId: string, call: ToolCallRecord, tool: AgentTool, signal: AbortSignal): Promise<boolean> {
    const key = JSON.stringify([sessionId, tool.name, tool.source]);
    if (this.allowed.has(key)) return true;
    const answered = new Promise<ConsentAnswer>((resolve) => this.open.set(call.id, resolve));
    const answer = await orAbort(answered, signal).finally(() => this.open.delete(call.id));
    if (answer === "session") this.allowed.add(key);
    return answer !== "no";
  }

  /** Ignored where no such question is open. */
  answer(callId: string, answer: ConsentAnswer): void {
    this.open.get(callId)?.(answer);
  }
}
