/** Checks arguments before the page sees them: size, shape, the tool's `inputSchema`. */
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { ChainFailure } from "../../contract/errors.ts";
import { jsonBytes, LIMITS } from "../../contract/limits.ts";
import type { PageTool } from "../../contract/page-tools.ts";
import { extentOf, guardSchema, TooCostly } from "../../contract/schema-guard.ts";
import { isRecord } from "../../contract/tab-channel.ts";

const validator = new CfWorkerJsonSchemaValidator();

/** Throws `invalid_args` or `too_large`, executed `no`. */
export function checkSize(name: string, args: unknown): asserts args is Record<string, unknown> {
  if (!isRecord(args)) {
    throw refused(
      "invalid_args",
      `the arguments of ${name} are no object. Pass one object by parameter name.`,
    );
  }
  const bytes = jsonBytes(args);
  if (bytes > LIMITS.args) {
    throw refused(
      "too_large",
      `the arguments of ${name} have ${bytes} bytes of ${LIMITS.args} allowed. Send less at a time.`,
    );
  }
}

/** Throws `invalid_args` with the engine's words, or `too_large` where the schema cannot be checked in bounded time. */
export function checkSchema(tool: PageTool, args: Record<string, unknown>): void {
  const problem = firstProblem(tool, args);
  if (problem === undefined) return;
  throw refused(
    "invalid_args",
    `the arguments do not fit ${tool.name}: ${problem}. Read the tool's input schema and call again.`,
  );
}

function firstProblem(tool: PageTool, args: Record<string, unknown>): string | undefined {
  try {
    const validate = validator.getValidator(guardSchema(tool.inputSchema, extentOf(args)));
    return validate(args).errorMessage;
  } catch (error) {
    if (error instanceof TooCostly || error instanceof RangeError) throw tooCostly(tool.name);
    return `the page's schema is broken (${error instanceof Error ? error.message : String(error)})`;
  }
}

function tooCostly(name: string): ChainFailure {
  return refused(
    "too_large",
    `the schema of ${name} takes too many steps to check these arguments. Send simpler arguments.`,
  );
}

function refused(code: "invalid_args" | "too_large", message: string): ChainFailure {
  return ChainFailure.of(code, "no", message);
}
