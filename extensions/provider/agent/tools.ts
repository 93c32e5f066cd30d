/** The tools of this provider, as hosts list them, and the check of their arguments. */
import type { JsonSchemaType, ToolAnnotations } from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { SCRIPT_LIMITS } from "../userscripts/model.ts";

export type ToolName =
  | "list_scripts"
  | "get_script"
  | "search_scripts"
  | "create_script"
  | "update_script"
  | "delete_script"
  | "set_script_enabled";

export type Arguments = Record<string, unknown>;

export interface ToolDefinition {
  name: ToolName;
  title: string;
  description: string;
  inputSchema: JsonSchemaType;
  annotations: ToolAnnotations;
}

const UUID = {
  type: "string",
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  description: "The script's uuid, as list_scripts gives it.",
};

const SOURCE = {
  type: "string",
  minLength: 1,
  maxLength: SCRIPT_LIMITS.sourceBytes,
  description:
    "The whole userscript, with its ==UserScript== block: @name and at least one @match; @run-at, @version, @description, @exclude-match, @noframes if wanted.",
};

function object(properties: Record<string, unknown>, required = Object.keys(properties)): JsonSchemaType {
  return { type: "object", properties, required, additionalProperties: false } as JsonSchemaType;
}

const READ: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
const SWITCHES: ToolAnnotations = { ...ADDS, idempotentHint: true };
const DESTROYS: ToolAnnotations = { ...ADDS, destructiveHint: true };

export const TOOLS: readonly ToolDefinition[] = [
  {
    name: "list_scripts",
    title: "List userscripts",
    description: "All userscripts without their source, and your changes that wait for the user's approval.",
    inputSchema: object({}),
    annotations: READ,
  },
  {
    name: "get_script",
    title: "Read a userscript",
    description: "One userscript with its source and its version, which update_script wants back.",
    inputSchema: object({ uuid: UUID }),
    annotations: READ,
  },
  {
    name: "search_scripts",
    title: "Search userscripts",
    description: "Finds text in names, descriptions, match patterns and source lines; case is ignored.",
    inputSchema: object({ query: { type: "string", minLength: 1, maxLength: 200 } }),
    annotations: READ,
  },
  {
    name: "create_script",
    title: "Create a userscript",
    description: "Adds a userscript. It starts disabled; with review on it waits for the user's approval.",
    inputSchema: object({ source: SOURCE }),
    annotations: ADDS,
  },
  {
    name: "update_script",
    title: "Replace a userscript's source",
    description:
      "Replaces the source. A version that is no longer the present one is refused; with review on it waits.",
    inputSchema: object({ uuid: UUID, source: SOURCE, version: { type: "integer", minimum: 1 } }),
    annotations: DESTROYS,
  },
  {
    name: "delete_script",
    title: "Delete a userscript",
    description: "Deletes a userscript for good; with review on it waits for the user's approval.",
    inputSchema: object({ uuid: UUID }),
    annotations: { ...DESTROYS, idempotentHint: true },
  },
  {
    name: "set_script_enabled",
    title: "Switch a userscript on or off",
    description: "Switches a userscript on or off. With review on, a source that was never approved waits.",
    inputSchema: object({ uuid: UUID, enabled: { type: "boolean" } }),
    annotations: SWITCHES,
  },
];

const validator = new CfWorkerJsonSchemaValidator();
const checks = new Map(TOOLS.map((tool) => [tool.name, validator.getValidator(tool.inputSchema)]));

/** Why arguments do not fit the tool's schema, with what to do; `undefined` if they do. */
export function argumentsProblem(tool: ToolName, args: unknown): string | undefined {
  const checked = checks.get(tool)!(args);
  if (checked.valid) return undefined;
  const problems = checked.errorMessage.replace(/\.+$/, "");
  return `The arguments do not fit: ${problems}. Look at the tool's inputSchema and call again.`;
}
