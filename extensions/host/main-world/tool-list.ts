/** What `getTools()` lists, under names that are unique on the page. */
import { hash6 } from "../../contract/names.ts";
import { isRecord } from "../../contract/tab-channel.ts";
import { type ModelContext, type RegisteredTool, windowOf } from "./model-context.ts";

/** One tool for MCP, and the object that `executeTool` wants. */
export interface ListedTool {
  registered: RegisteredTool;
  description: Record<string, unknown>;
}

/** By public name. The top frame keeps its names; a frame's tool with a taken name gets a hash of its frame and name. */
export async function listTools(context: ModelContext): Promise<Map<string, ListedTool>> {
  const tools = (await context.getTools()).filter(isSameOrigin);
  const topFirst = [...tools.filter(isTop), ...tools.filter((tool) => !isTop(tool))];
  const listed = new Map<string, ListedTool>();
  for (const registered of topFirst) {
    const name = listed.has(registered.name) ? await suffixed(registered) : registered.name;
    listed.set(name, { registered, description: describe(name, registered) });
  }
  return listed;
}

function isTop(tool: RegisteredTool): boolean {
  return windowOf(tool) === window;
}

/** Other origins are not asked (`fromOrigins`); should one be listed all the same, it stays out. */
function isSameOrigin(tool: RegisteredTool): boolean {
  return tool.origin === undefined || tool.origin === window.origin;
}

async function suffixed(tool: RegisteredTool): Promise<string> {
  return `${tool.name}_${await hash6(`${framePath(windowOf(tool)).join(".")}/${tool.name}`)}`;
}

/** Indexes from the top frame down, so that the same frame has the same name at each listing. */
function framePath(frame: Window): number[] {
  if (frame === frame.parent) return [];
  const index = Array.from({ length: frame.parent.length }, (_, i) => frame.parent[i]).indexOf(frame);
  return [...framePath(frame.parent), index];
}

function describe(name: string, tool: RegisteredTool): Record<string, unknown> {
  const { title, description, annotations, outputSchema } = tool;
  return {
    name,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    inputSchema: inputSchemaOf(tool),
    ...(isRecord(outputSchema) ? { outputSchema: plain(outputSchema) } : {}),
    ...(isRecord(annotations) ? { annotations: plain(annotations) } : {}),
  };
}

/** MCP wants an object schema; a tool without one takes anything, one without `type` means an object. */
function inputSchemaOf(tool: RegisteredTool): unknown {
  const { inputSchema } = tool;
  const schema = typeof inputSchema === "string" ? parsed(inputSchema) : plain(inputSchema);
  if (schema === undefined || schema === null || schema === "") return { type: "object", properties: {} };
  return isRecord(schema) && schema.type === undefined ? { ...schema, type: "object" } : schema;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Only JSON passes postMessage for sure: a page may have put functions into an annotation. */
function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
