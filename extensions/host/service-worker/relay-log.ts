/** The last calls over the relay, for the panel. Nothing of it is stored: it is there to look on. */
import { ERROR_META, isErrorCode, type ToolResult } from "../../contract/errors.ts";
import { type RelayCall, withCall } from "../../contract/panel.ts";

/** Characters of a name and of arguments that are kept. */
const MAX_NAME = 200;
const MAX_ARGS = 300;

export class RelayLog {
  private ring: RelayCall[] = [];

  constructor(private readonly changed: (call: RelayCall) => void) {}

  /** Oldest first. */
  get calls(): RelayCall[] {
    return [...this.ring];
  }

  /** Notes a call that begins; the returned function notes its end. */
  begin(source: string, tool: string, args: Record<string, unknown>): (result: ToolResult) => void {
    const call: RelayCall = {
      key: crypto.randomUUID(),
      source,
      tool: tool.slice(0, MAX_NAME),
      args: JSON.stringify(args).slice(0, MAX_ARGS),
      startedAt: Date.now(),
    };
    const begun = performance.now();
    this.note(call);
    return (result) =>
      this.note({ ...call, milliseconds: performance.now() - begun, outcome: outcomeOf(result) });
  }

  private note(call: RelayCall): void {
    this.ring = withCall(this.ring, call);
    this.changed(call);
  }
}

function outcomeOf(result: ToolResult): NonNullable<RelayCall["outcome"]> {
  if (result.isError !== true) return "ok";
  const meta = result._meta?.[ERROR_META];
  const code = typeof meta === "object" && meta !== null && "code" in meta ? meta.code : undefined;
  return isErrorCode(code) ? code : "error";
}
