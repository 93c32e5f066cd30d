/** A tool result as text for a person. */
import { ERROR_META, type Executed, isErrorCode, type ToolResult } from "../../contract/errors.ts";

/** The chain's own error, where the result is one. */
export function errorOf(result: ToolResult): { code: string; executed: Executed } | undefined {
  const meta = result._meta?.[ERROR_META];
  if (typeof meta !== "object" || meta === null) return undefined;
  const { code, executed } = meta as Record<string, unknown>;
  if (!isErrorCode(code)) return undefined;
  return { code, executed: executed === "no" || executed === "yes" ? executed : "unknown" };
}

/** Text blocks as they are, others as JSON. All of it is the page's: shown as text, never as markup. */
export function textOf(result: ToolResult): string {
  return result.content.map(blockText).join("\n");
}

function blockText(block: unknown): string {
  const isText =
    typeof block === "object" && block !== null && "text" in block && typeof block.text === "string";
  return isText ? (block.text as string) : JSON.stringify(block, null, 2);
}
