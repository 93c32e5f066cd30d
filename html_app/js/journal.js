// Tells the server of every execution, so that a test can count them.

/** @typedef {"finished" | "failed" | "aborted"} Outcome */

/** `?journal=off` leaves the server out of each call (for measuring). */
const silent = new URLSearchParams(location.search).get("journal") === "off";

/** `top`, or the path of the frame's document. */
const frame = window === window.top ? "top" : location.pathname;

/** @param {string} path @param {Record<string, unknown>} record */
async function post(path, record) {
  if (silent) return;
  const body = JSON.stringify(record);
  const headers = { "content-type": "application/json" };
  try {
    // keepalive: the record outlives a document that navigates in mid-call.
    await fetch(path, { method: "POST", body, headers, keepalive: body.length < 60_000 });
  } catch {
    // The desk stays usable without its server; the missing record is for the test to notice.
  }
}

/**
 * Records one execution; await it before the tool's effect. The function it resolves to records how it ended.
 * @param {string} tool @param {unknown} args
 * @returns {Promise<(outcome: Outcome) => void>}
 */
export async function beginExecution(tool, args) {
  const id = crypto.randomUUID();
  await post("/invocations", { id, tool, args, frame, url: location.href });
  return (outcome) => void post("/invocations/outcome", { id, outcome });
}

/**
 * The tool with its execution recorded around it.
 * @param {ToolDefinition} tool
 * @returns {ToolDefinition}
 */
export function journaled(tool) {
  return {
    ...tool,
    async execute(args, options) {
      const end = await beginExecution(tool.name, args);
      try {
        const result = await tool.execute(args ?? {}, options);
        end("finished");
        return result;
      } catch (error) {
        end(options?.signal?.aborted ? "aborted" : "failed");
        throw error;
      }
    },
  };
}
