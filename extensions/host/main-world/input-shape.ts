/** Which argument shape `executeTool` takes: an object (Chrome 155 on) or JSON text (before, and in the polyfill). */
import {
  currentContext,
  type ModelContext,
  type RegisteredTool,
  underlyingContext,
} from "./model-context.ts";

export type InputShape = "object" | "text";

const shapes = new WeakMap<ModelContext, Promise<InputShape>>();

/**
 * Found by an input that no generation can run: a lone brace is no JSON, so a TypeError can only be the refusal of
 * the type. Never by version, and no call is ever repeated in another shape. Once per context object.
 */
export function inputShape(context: ModelContext, tool: RegisteredTool): Promise<InputShape> {
  let shape = shapes.get(context);
  if (!shape) {
    shape = context.executeTool(tool, "{").then(
      () => "text" as const,
      (error: unknown) => (error instanceof TypeError ? "object" : "text"),
    );
    shapes.set(context, shape);
  }
  return shape;
}

/**
 * Lets callers that pass JSON text (a page's own `@mcp-b/global`) reach a native `executeTool` that takes objects.
 * Only where such a server serves in our place; identity, prototype and `instanceof` of the native object stay.
 */
export async function acceptText(): Promise<void> {
  const context = underlyingContext();
  if (!context || context === currentContext()) return;
  const [tool] = await context.getTools();
  if (!tool || (await inputShape(context, tool)) === "text") return;
  const native = context.executeTool;
  const executeTool = function (this: unknown, ...args: Parameters<typeof native>): Promise<unknown> {
    const [target, input, ...rest] = args;
    return Reflect.apply(native, this, [target, parsed(input), ...rest]);
  };
  Object.defineProperty(context, "executeTool", { value: executeTool, configurable: true, writable: true });
}

function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
