/** The calls that were made from the Tools tab, each tool's newest first, for as long as the panel is open. */
import type { ToolResult } from "../../../contract/errors.ts";

export const HISTORY_LENGTH = 10;

export interface PastCall {
  /** Epoch milliseconds. */
  startedAt: number;
  milliseconds: number;
  args: Record<string, unknown>;
  result: ToolResult;
}

export class CallHistory {
  private readonly calls = new Map<string, readonly PastCall[]>();

  of(publicName: string): readonly PastCall[] {
    return this.calls.get(publicName) ?? [];
  }

  add(publicName: string, call: PastCall): void {
    this.calls.set(publicName, [call, ...this.of(publicName)].slice(0, HISTORY_LENGTH));
  }
}
