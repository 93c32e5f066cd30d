/** What of the agent stands in the panel's log: requests with host and status, turns, consents. No text, no key. */
import type { ChatState, Turn } from "../../../agent-chat-core/index.ts";
import type { LogKind } from "../log/panel-log.ts";

/** The one method of the log that is used. */
export interface Log {
  add(kind: LogKind, event: string, data?: unknown): void;
}

/** `fetch` that notes each request once its head has come, or why none came. */
export function loggedFetch(log: Log, kind: LogKind): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const begin = performance.now();
    const note = (event: string, more: Record<string, unknown>) => {
      const ms = Math.round(performance.now() - begin);
      log.add(kind, event, { host: url.host, path: url.pathname, ms, ...more });
    };
    try {
      const response = await fetch(input, init);
      note("request", { status: response.status });
      return response;
    } catch (cause) {
      note("failed", { reason: cause instanceof Error ? cause.name : "unknown" });
      throw cause;
    }
  };
}

/** Notes the end of each turn, and of its calls to remote agents; the panel's model notes the other calls. */
export class TurnLog {
  private readonly told = new Set<string>();

  constructor(private readonly log: Log) {}

  take({ session }: Pick<ChatState, "session">): void {
    const turn = session.turns.at(-1);
    if (!turn || turn.status === "running") return;
    const key = `${turn.id} ${turn.status} ${turn.messages.length}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    this.note(turn);
  }

  private note({ status, error, model, agent, messages }: Turn): void {
    const calls = messages.flatMap((message) => message.calls);
    for (const { kind, name, status: outcome, duration } of calls) {
      if (kind === "a2a") this.log.add("a2a", "call", { name, outcome, ms: duration });
    }
    this.log.add("llm", "turn", {
      status,
      code: error?.code,
      model,
      agent: agent.id,
      steps: messages.length,
      calls: calls.length,
    });
  }
}
