/** Errors of calls that a provider has to answer, in the one table of error codes. */
import { ChainFailure, type ErrorCode, errorResult, type ToolResult } from "../../contract/errors.ts";
import type { ProviderCode, ProviderState } from "../../contract/providers.ts";

const OF_STATE: Record<ProviderCode, { code: ErrorCode; mend: string }> = {
  invalid_id: { code: "not_ready", mend: "Remove it in the side panel and add it with its id" },
  not_installed: { code: "source_disconnected", mend: "Install or enable the extension, then retry" },
  timeout: { code: "not_ready", mend: "Retry; if it stays, reload the provider" },
  protocol_error: { code: "not_ready", mend: "Update the provider, then retry" },
  incomplete: { code: "not_ready", mend: "Update the provider, then retry" },
  disabled: { code: "denied", mend: "Ask the user to turn it on there" },
  pending_approval: { code: "denied", mend: "Ask the user to approve it there" },
  not_authorized: { code: "denied", mend: "Ask the user to allow this extension there" },
  not_ready: { code: "not_ready", mend: "Ask the user to see to it there" },
};

/** Why a provider in this state takes no call. `problem`: the probe passed, the MCP session did not. */
export function stateFailure(state: ProviderState, problem: string | undefined): ChainFailure {
  if (state.state === "error" && (state.code !== "not_ready" || problem === undefined)) {
    const { code, mend } = OF_STATE[state.code];
    return ChainFailure.of(code, "no", `${state.text} (${state.code}). ${mend}.`);
  }
  return ChainFailure.of(
    "not_ready",
    "no",
    `The provider's MCP session does not open (${problem ?? "no connection"}). Retry in the side panel.`,
  );
}

/** The port fell while a call was on its way. */
export function outcomeUnknown(): ToolResult {
  const message =
    "connection closed before a result; the outcome is unknown. Check what the tool did before you repeat the call.";
  return errorResult({ code: "outcome_unknown", executed: "unknown", message });
}

export function unknownProviderTool(publicName: string): ToolResult {
  const message = `No provider offers a tool "${publicName}". List the tools again.`;
  return errorResult({ code: "unknown_tool", executed: "no", message });
}

export function cancelledCall(executed: "no" | "unknown"): ToolResult {
  const message = "The call was cancelled. Check what the tool did before you repeat it.";
  return errorResult({ code: "cancelled", executed, message });
}

/** The provider answered with a JSON-RPC error, or with something that is no tool result. */
export function protocolFault(text: string): ToolResult {
  const message = `The provider answered with a protocol fault (${text}). Check what the tool did, then report this to the provider's author.`;
  return errorResult({ code: "page_error", executed: "unknown", message });
}

export function tooLarge(
  what: "arguments" | "result",
  bytes: number,
  limit: number,
  executed: "no" | "yes",
): ToolResult {
  const verb = what === "result" ? "Ask for" : "Send";
  const message = `The call's ${what} has ${bytes} bytes of ${limit} allowed. ${verb} less at once.`;
  return errorResult({ code: "too_large", executed, message });
}

export function tooDeep(levels: number): ToolResult {
  const message = `The call's arguments nest deeper than ${levels} levels. Send flatter ones.`;
  return errorResult({ code: "invalid_args", executed: "no", message });
}
