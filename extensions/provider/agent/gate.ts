/** Refusals by policy, in the words that a model can pass on to its user. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type Access, type Policy, standing } from "./policy.ts";
import { failureResult } from "./results.ts";

/** Why this sender may call nothing at present; `undefined` if it may. */
export function callRefusal(access: Access, senderId: string): CallToolResult | undefined {
  const { enabled, authorized } = standing(access, senderId);
  if (!enabled) {
    return failureResult(
      "denied",
      "Agent access is turned off in the provider. Ask the user to turn it on there.",
    );
  }
  if (!authorized) {
    return failureResult(
      "denied",
      "This extension is not on the provider's allowlist. Ask the user to approve it there.",
    );
  }
  return undefined;
}

/** Why nothing may be written at present; `undefined` if it may. */
export function writeRefusal(policy: Policy): CallToolResult | undefined {
  if (policy.write) return undefined;
  return failureResult("denied", "Writing is turned off in the provider. Ask the user to turn it on there.");
}
