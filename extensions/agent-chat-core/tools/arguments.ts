/** The model's arguments against the tool's own schema. */
import { Validator } from "@cfworker/json-schema";
import { extentOf, guardSchema, TooCostly } from "../../contract/schema-guard.ts";

/** What is wrong with the arguments, in the engine's words, or `undefined`. Takes bounded time on a hostile schema. */
export function argumentProblem(
  schema: Record<string, unknown>,
  args: Record<string, unknown>,
): string | undefined {
  try {
    const { valid, errors } = new Validator(guardSchema(schema, extentOf(args)), "2020-12").validate(args);
    return valid ? undefined : wordsOf(errors);
  } catch (cause) {
    if (cause instanceof TooCostly || cause instanceof RangeError) {
      return "they take too many steps to check. Send simpler arguments";
    }
    // A broken schema is its owner's to judge: the tool itself sees the arguments next.
    return undefined;
  }
}

/** The innermost error says most. */
function wordsOf(errors: readonly { instanceLocation: string; error: string }[]): string {
  const last = errors.at(-1);
  return last ? `${last.instanceLocation}: ${last.error}` : "they do not fit";
}
