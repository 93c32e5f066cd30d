// Tools for experiments (`?lab`): each shows one way in which a tool can behave.

/** @typedef {import("./tool-registry.js").ToolRegistry} ToolRegistry */

/**
 * @param {Record<string, unknown>} properties
 * @param {string[]} [required]
 */
const schema = (properties, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** @type {ToolDefinition} */
export const echo = {
  name: "echo",
  title: "Echo",
  description: "Returns the text it is given.",
  inputSchema: schema({ text: { type: "string" } }),
  annotations: { readOnlyHint: true },
  execute: ({ text }) => String(text),
};

/** @type {ToolDefinition} */
const sum = {
  name: "sum",
  title: "Sum",
  description: "Adds two numbers.",
  inputSchema: schema({ a: { type: "number" }, b: { type: "number" } }),
  annotations: { readOnlyHint: true },
  execute: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
};

/** @type {ToolDefinition} */
const alwaysFail = {
  name: "always_fail",
  title: "Always fail",
  description: "Throws an error.",
  inputSchema: schema({}),
  execute: () => {
    throw new Error("This tool always fails.");
  },
};

/** @type {ToolDefinition} */
const slow = {
  name: "slow",
  title: "Slow",
  description: "Answers after so many milliseconds; ends early when its signal is aborted.",
  inputSchema: schema({ ms: { type: "number", minimum: 0 } }),
  execute: ({ ms }, options) =>
    new Promise((resolve, reject) => {
      const signal = options?.signal;
      const timer = setTimeout(() => resolve({ waited: ms }), Number(ms));
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort, { once: true });
    }),
};

/** @type {ToolDefinition} */
const big = {
  name: "big",
  title: "Big",
  description: "Returns a text of so many bytes.",
  inputSchema: schema({ bytes: { type: "integer", minimum: 0 } }),
  annotations: { readOnlyHint: true },
  execute: ({ bytes }) => "x".repeat(Number(bytes)),
};

/** Every shape in which a tool can answer. @type {Record<string, () => unknown>} */
const SHAPES = {
  undefined: () => undefined,
  null: () => null,
  text: () => "plain text",
  number: () => 42,
  array: () => [1, 2, 3],
  object: () => ({ answer: 42 }),
  content: () => ({ content: [{ type: "text", text: "as it is" }], _meta: { "example/kept": true } }),
  error: () => ({ isError: true, content: [{ type: "text", text: "the tool says no" }] }),
  image: () => ({ content: [{ type: "image", mimeType: "image/gif", data: "R0lGODlhAQABAAAAACw=" }] }),
};

/** @type {ToolDefinition} */
const shape = {
  name: "shape",
  title: "Shape",
  description: "Returns a result of the shape it is told.",
  inputSchema: schema({ kind: { type: "string", enum: Object.keys(SHAPES) } }),
  annotations: { readOnlyHint: true },
  execute: ({ kind }) => SHAPES[String(kind)]?.(),
};

/** @type {ToolDefinition} */
const navigate = {
  name: "navigate",
  title: "Navigate",
  description: "Sends the document elsewhere and never answers.",
  inputSchema: schema({ to: { type: "string" } }),
  execute: ({ to }) => {
    location.assign(String(to));
    return new Promise(() => {});
  },
};

/** @param {number} index @returns {ToolDefinition} */
const numbered = (index) => ({
  name: `more_${index}`,
  description: `Tool ${index} of many; returns its number.`,
  inputSchema: schema({}),
  execute: () => index,
});

/**
 * Registers tools `more_<n>`, going on where the last call ended.
 * @param {ToolRegistry} registry
 */
export function moreTools(registry) {
  let made = 0;
  /** @param {number} count */
  return async (count) => {
    const first = made + 1;
    made += count;
    await registry.addAll(Array.from({ length: count }, (_, index) => numbered(first + index)));
    return made;
  };
}

/** @param {(count: number) => Promise<number>} more @returns {ToolDefinition} */
const registerMore = (more) => ({
  name: "register_more",
  title: "Register more",
  description: "Registers n more tools, more_1 and so on.",
  inputSchema: schema({ n: { type: "integer", minimum: 1, maximum: 1_000 } }),
  execute: async ({ n }) => ({ registered: await more(Number(n)) }),
});

/** @param {ToolRegistry} registry @returns {ToolDefinition} */
const unregisterSelf = (registry) => ({
  name: "unregister_self",
  title: "Unregister self",
  description: "Takes itself back and answers all the same.",
  inputSchema: schema({}),
  execute: () => {
    registry.remove("unregister_self");
    return "unregistered";
  },
});

/**
 * @param {ToolRegistry} registry
 * @param {(count: number) => Promise<number>} more
 * @returns {ToolDefinition[]}
 */
export const labTools = (registry, more) => [
  echo,
  sum,
  alwaysFail,
  slow,
  big,
  shape,
  navigate,
  registerMore(more),
  unregisterSelf(registry),
];
